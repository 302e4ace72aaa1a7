// The descriptor language: from one description of a record its decoder, encoder, walk and table.
// Every word of it is here. (Columns are in wire/columns.hpp, checksums in io/checksum.hpp.)
#pragma once
#include "wire/choice.hpp"
#include "wire/chosen.hpp"
#include "wire/computed.hpp"
#include "wire/constant.hpp"
#include "wire/file_pointer.hpp"
#include "wire/in_order.hpp"
#include "wire/integers.hpp"
#include "wire/limited.hpp"
#include "wire/list.hpp"
#include "wire/laid_out_as.hpp"
#include "wire/record.hpp"
#include "wire/strided.hpp"
#include "wire/strings.hpp"
#include "wire/table.hpp"
#include "wire/varint.hpp"
#include "wire/view.hpp"
