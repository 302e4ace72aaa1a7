// Files by their descriptions: reader, writer, check and recogniser of a format of your own.
#pragma once
#include "file/check.hpp"
#include "file/describe.hpp"
#include "file/reader.hpp"
#include "file/recognise.hpp"
#include "file/writer.hpp"
#include "wire/record.hpp"
