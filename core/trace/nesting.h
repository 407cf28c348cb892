// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

namespace hloscope {

// Gives the events of one track, sorted by begin and longer first, their depths and parents, and sets track.depth
// and track.overlaps.
// Returns the last end.
//
// The parent of an event is the event that holds it wholly and began last. Its depth is the lowest one below its
// parent's where nothing is going on, so that events which overlap only in part stand side by side: the depths in use
// are the number of events at one time, however long a staircase of overlapping events is.
//
// Cost: O(n) where events nest properly; at worst kMaxSearchedSlots steps per event.
int64_t assignNesting(Trace& trace, Track& track);

} // namespace hloscope
