// Structs for all files of a UMTracer trace, and descriptions of the files' layouts.
#pragma once
#include "layout/common.hpp"
#include "layout/context.hpp"
#include "layout/decoded.hpp"
#include "layout/exec.hpp"
#include "layout/instruction.hpp"
#include "layout/syscall.hpp"
