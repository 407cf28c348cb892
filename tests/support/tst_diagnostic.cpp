// SPDX-License-Identifier: Apache-2.0
#include "core/support/diagnostic.h"

#include <QtTest>

using namespace hloscope;

class TestDiagnostic : public QObject {
    Q_OBJECT

private slots:
    void formatsTextPosition()
    {
        Diagnostic diagnostic = makeError("module.hlo", "unknown element type");
        diagnostic.line = 575;
        diagnostic.column = 37;
        diagnostic.expected = "a shape";
        diagnostic.found = "'f33'";
        QCOMPARE(diagnostic.format(),
                 std::string("module.hlo:575:37: error: unknown element type, expected a shape, found 'f33'"));
    }

    void formatsByteOffset()
    {
        Diagnostic diagnostic = makeErrorAt("a.pb", 0, "broken tag");
        QCOMPARE(diagnostic.format(), std::string("a.pb:@0: error: broken tag"));
        diagnostic.severity = Severity::Warning;
        diagnostic.hint = "copy it again";
        QCOMPARE(diagnostic.format(), std::string("a.pb:@0: warning: broken tag (copy it again)"));
    }

    void formatsWithoutPosition()
    {
        QCOMPARE(makeError("a", "cannot be opened").format(), std::string("a: error: cannot be opened"));
    }

    void keepsTheFirstProblemsAndCountsTheRest()
    {
        Problems problems;
        QVERIFY(problems.empty());
        for (size_t i = 0; i < Problems::kMaxDiagnostics + 7; ++i)
            problems.add(makeError("f", "x"));
        problems.count("unknown field 37 in XStat", 5);
        problems.count("unknown field 37 in XStat", 7);
        problems.count("nothing", 0);
        QCOMPARE(problems.diagnostics().size(), Problems::kMaxDiagnostics);
        QCOMPARE(problems.counts().at("more problems than are listed"), uint64_t(7));
        QCOMPARE(problems.counts().at("unknown field 37 in XStat"), uint64_t(12));
        QCOMPARE(problems.counts().size(), size_t(2));
        QCOMPARE(problems.total(), uint64_t(Problems::kMaxDiagnostics + 7 + 12));
    }

    void mergesProblems()
    {
        Problems first;
        first.count("a", 2);
        Problems second;
        second.count("a", 3);
        second.add(makeError("f", "x"));
        first.merge(second);
        QCOMPARE(first.counts().at("a"), uint64_t(5));
        QCOMPARE(first.diagnostics().size(), size_t(1));
        QCOMPARE(first.total(), uint64_t(6));
    }
};

QTEST_APPLESS_MAIN(TestDiagnostic)
#include "tst_diagnostic.moc"
