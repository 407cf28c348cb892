// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"

namespace hloscope::proto {
class LayoutProto;
class ShapeProto;
} // namespace hloscope::proto

namespace hloscope {

Shape shapeFromProto(const proto::ShapeProto& proto);
PrimitiveType primitiveTypeFromNumber(int number);

} // namespace hloscope
