// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLocale>

namespace hloscope {

// Loads the texts of a language into the application: always the English plurals (without them a count reads
// "2 file(s)"), and over them the language of the locale where there is a catalogue in `resources/translations`. The
// second call of the same language does nothing.
void installTranslations(const QLocale& locale = QLocale());

} // namespace hloscope
