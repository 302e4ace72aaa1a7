// The descriptor language: from one description of a record its decoder, encoder, walk and table.
#pragma once
#include "wire/file_pointer.hpp"
#include "wire/laid_out_as.hpp"
#include "wire/record.hpp"
#include "wire/table.hpp"
#include "wire/view.hpp"
