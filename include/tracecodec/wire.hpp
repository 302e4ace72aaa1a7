// The descriptor language: one description of a record generates its decoder, encoder, walk and
// table. This header includes every construct of the language, except columns
// (wire/columns/columns.hpp) and checksums (io/checksum.hpp).
#pragma once
#include "wire/items/args.hpp"
#include "wire/items/delta.hpp"
#include "wire/items/integers.hpp"
#include "wire/items/list.hpp"
#include "wire/items/strided.hpp"
#include "wire/items/strings.hpp"
#include "wire/items/varint.hpp"
#include "wire/layout/laid_out_as.hpp"
#include "wire/record.hpp"
#include "wire/rules/byte_order.hpp"
#include "wire/rules/choice.hpp"
#include "wire/rules/chosen.hpp"
#include "wire/rules/computed.hpp"
#include "wire/rules/constant.hpp"
#include "wire/rules/sized.hpp"
#include "wire/table.hpp"
#include "wire/types/file_pointer.hpp"
#include "wire/types/inner.hpp"
#include "wire/types/view.hpp"
#include "wire/with_order.hpp"
