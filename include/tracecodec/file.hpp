// Includes the headers for custom formats: a reader, a writer, a check and a recogniser,
// generated from a description.
#pragma once
#include "file/check.hpp"
#include "file/describe.hpp"
#include "file/reader.hpp"
#include "file/recognise.hpp"
#include "file/writer.hpp"
#include "wire/record.hpp"
