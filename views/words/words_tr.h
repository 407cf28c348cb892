// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>

#include <string_view>

namespace hloscope {

// Gives free functions of this folder their tr().
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

// Text of a file: UTF-8, with replacement characters for what is not.
inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace hloscope
