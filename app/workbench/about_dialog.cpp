// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/about_dialog.h"

#include "views/common/theme.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace hloscope {

namespace {

// Names and licences as their makers write them: not translated.
constexpr std::array<std::pair<const char*, const char*>, 9> kParts{{
    {"Qt (Core, Gui, Widgets, Svg)", "LGPL-3.0"},
    {"Qt Charts", "GPL-3.0"},
    {"Graphviz (in hloscope-graph-layout)", "EPL-1.0"},
    {"Protocol Buffers", "BSD-3-Clause"},
    {"simdjson", "Apache-2.0"},
    {"{fmt}", "MIT"},
    {"JSON for Modern C++", "MIT"},
    {"zlib", "Zlib"},
    {"Zstandard", "BSD-3-Clause"},
}};

QString partsText()
{
    QString rows;
    for (const auto& [name, licence] : kParts) {
        rows += QStringLiteral("<tr><td>%1</td><td>&nbsp;&nbsp;&nbsp;%2</td></tr>")
                    .arg(QString::fromLatin1(name), QString::fromLatin1(licence));
    }
    return QStringLiteral("<table>%1</table>").arg(rows);
}

} // namespace

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Hloscope"));
    setAttribute(Qt::WA_DeleteOnClose);
    const ThemeManager& manager = ThemeManager::instance();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(8);
    const auto addText = [&](const QString& text, double px, const char* role) {
        auto* label = new QLabel(text, this);
        label->setFont(manager.uiFont(px));
        label->setProperty("role", role);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(label);
    };
    addText(tr("Hloscope %1").arg(QCoreApplication::applicationVersion()), 20, "");
    addText(tr("A workbench for compiled HLO modules and TPU profiles."), 13, "secondary");
    layout->addSpacing(8);
    addText(tr("The sources are under the Apache License 2.0. The program links Qt Charts and is therefore "
               "distributed under the GNU General Public License 3.0. It is made with:"),
            12, "");
    addText(partsText(), 12, "");
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addSpacing(8);
    layout->addWidget(buttons);
    setMinimumWidth(manager.scaled(460));
}

} // namespace hloscope
