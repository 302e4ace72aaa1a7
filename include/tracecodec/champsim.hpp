// Includes all headers for ChampSim and CloudSuite traces.
#pragma once
#include "champsim/check.hpp"
#include "champsim/feed.hpp"
#include "champsim/layout.hpp"
#include "champsim/reader.hpp"
#include "champsim/recognise.hpp"
#include "champsim/register_numbers.hpp"
#include "champsim/rows.hpp"
#include "champsim/thread_records.hpp"
#include "champsim/tracereader.hpp"
#include "champsim/writer.hpp"
