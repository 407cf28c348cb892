// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/name_table.h"
#include "core/hlo/text_cursor.h"

#include <QtTest>

#include <string>

using namespace hloscope;

class TestNameTable : public QObject {
    Q_OBJECT

private slots:
    void findsTheFirstOfEachName()
    {
        std::vector<std::string> names;
        for (int i = 0; i < 5000; ++i)
            names.push_back("name." + std::to_string(i % 4000));
        NameTable table;
        const auto nameOf = [&](uint32_t i) -> std::string_view { return names[i]; };
        for (uint32_t i = 0; i < names.size(); ++i)
            QCOMPARE(table.insert(names[i], hashName(names[i]), i, nameOf), i < 4000 ? i : i - 4000);
        for (uint32_t i = 0; i < 4000; ++i)
            QCOMPARE(table.find(names[i], hashName(names[i]), nameOf), i);
        QCOMPARE(table.find("other", hashName("other"), nameOf), NameTable::kNone);
    }

    void forgetsBelowTheFloor()
    {
        std::vector<std::string> names;
        NameTable table;
        const auto nameOf = [&](uint32_t i) -> std::string_view { return names[i]; };
        for (int scope = 0; scope < 300; ++scope) {
            const auto first = static_cast<uint32_t>(names.size());
            table.setFloor(first);
            QCOMPARE(table.find("x0", hashName("x0"), nameOf), NameTable::kNone);
            for (int i = 0; i < 50; ++i) {
                names.push_back("x" + std::to_string(i));
                table.insert(names.back(), hashName(names.back()), first + static_cast<uint32_t>(i), nameOf);
            }
            QCOMPARE(table.find("x7", hashName("x7"), nameOf), first + 7);
        }
    }

    void hashesDependOnEveryByte()
    {
        const std::string text = "abcdefghijklmnopqrstuvwxyz0123456789";
        for (size_t length = 0; length <= text.size(); ++length) {
            std::string name = text.substr(0, length);
            const uint32_t hash = hashName(name);
            QCOMPARE(hashName(std::string(name)), hash);
            for (char& c : name) {
                const char old = std::exchange(c, '#');
                QVERIFY(hashName(name) != hash);
                c = old;
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestNameTable)
#include "tst_name_table.moc"
