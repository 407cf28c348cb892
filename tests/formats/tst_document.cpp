// SPDX-License-Identifier: Apache-2.0
#include "core/formats/document.h"

#include "tests/formats/small_xspace.h"
#include "tests/test_data.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <map>

#include <unistd.h>
#include <zlib.h>

using namespace hloscope;

namespace {

const QByteArray kHlo = "HloModule m\n\nENTRY e {\n  ROOT p = f32[2]{0} parameter(0)\n}\n";

QByteArray profile()
{
    const std::string bytes = testdata::smallXSpace().SerializeAsString();
    return {bytes.data(), static_cast<qsizetype>(bytes.size())};
}

QByteArray gzip(const QByteArray& plain)
{
    QByteArray out(static_cast<int>(compressBound(static_cast<uLong>(plain.size()))) + 64, '\0');
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(out.size() - static_cast<int>(stream.avail_out));
    deflateEnd(&stream);
    return out;
}

// A field of wire type 2 whose length fits in one byte.
QByteArray field(int number, const QByteArray& bytes)
{
    return QByteArray(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}

QByteArray hloModuleProto()
{
    const QByteArray computation = field(1, "main") + field(2, field(1, "p") + field(2, "parameter"));
    return field(1, "jit_f") + field(2, "main") + field(3, computation) + QByteArray("\x28\x05\x30\x01", 4);
}

QByteArray perfettoTrace()
{
    QByteArray bytes;
    for (char i = 1; i < 9; ++i)
        bytes += field(1, QByteArray("\x40") + i + QByteArray("\x50\x01", 2) + field(11, "\x48\x01"));
    return bytes;
}

// sample types {1, 2} and {3, 4}, a sample, a location, a function and the strings.
QByteArray heapProfile()
{
    return field(1, QByteArray("\x08\x01\x10\x02", 4)) + field(1, QByteArray("\x08\x03\x10\x04", 4))
        + field(2, field(1, "\x01") + field(2, "\x01\x20")) + field(4, QByteArray("\x08\x01", 2))
        + field(5, QByteArray("\x08\x01\x10\x05", 4)) + field(6, "") + field(6, "allocations");
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    int m_next = 0;

    QString newFolder()
    {
        QString path = m_folder.filePath(QStringLiteral("d%1").arg(++m_next));
        QDir().mkpath(path);
        return path;
    }

    QString write(const QString& path, const QByteArray& bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        return path;
    }

    static Expected<Document> open(const QString& path) { return openDocument(path.toStdString()); }

private slots:
    void opensFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<int>("modules");
        QTest::addColumn<int>("traces");
        QTest::newRow("HLO text") << kHlo << QByteArray("hlo_text") << 1 << 0;
        QTest::newRow("HLO text, gzip") << gzip(kHlo) << QByteArray("hlo_text") << 1 << 0;
        QTest::newRow("profile") << profile() << QByteArray("xspace") << 0 << 1;
        QTest::newRow("profile, gzip") << gzip(profile()) << QByteArray("xspace") << 0 << 1;
        QTest::newRow("profile, cut") << profile().left(100) << QByteArray("xspace") << 0 << 1;
    }

    void opensFiles()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, kind);
        QFETCH(int, modules);
        QFETCH(int, traces);
        const QString path = write(newFolder() + QStringLiteral("/file"), bytes);
        const auto document = open(path);
        QVERIFY2(document.hasValue(), document ? "" : document.error().format().c_str());
        QCOMPARE(QByteArray(fileKindName(document->kind).data()), kind);
        QCOMPARE(document->path, path.toStdString());
        QCOMPARE(static_cast<int>(document->modules.size()), modules);
        QCOMPARE(static_cast<int>(document->traces.size()), traces);
    }

    // One clear message for whatever cannot be opened: what it is, and what was expected.
    void saysWhatAFileIs_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("message");
        const QByteArray cannot =
            "this kind of file cannot be opened, expected HLO text, a serialised HLO module, a profile";
        QTest::newRow("empty") << QByteArray() << QByteArray("the file is empty, expected HLO text");
        QTest::newRow("PNG") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) << QByteArray("found a PNG picture");
        QTest::newRow("ELF") << QByteArray("\x7f"
                                           "ELF\2\1\1\0\0\0",
                                           10)
                             << QByteArray("found an ELF program or library");
        QTest::newRow("PDF") << QByteArray("%PDF-1.7\n%\xe2\xe3\xcf\xd3") << QByteArray("found a PDF document");
        QTest::newRow("ZIP") << QByteArray("PK\x03\x04\x14\0\0\0", 8) << QByteArray("found a ZIP archive");
        QTest::newRow("LFS pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
                                     << QByteArray("found a Git LFS pointer");
        QTest::newRow("prose") << QByteArray("Dear all,\nthis is a letter.\n") << cannot;
        QTest::newRow("prose is text") << QByteArray("Dear all,\nthis is a letter.\n") << QByteArray("found text");
        QTest::newRow("JSON") << QByteArray("{\"a\": 1}") << QByteArray("found JSON");
        QTest::newRow("MLIR") << QByteArray("module @jit_f {\n  func.func public @main()\n}\n")
                              << QByteArray("found MLIR text");
        QTest::newRow("zeros") << QByteArray(64, '\0') << QByteArray("found binary data");
        QTest::newRow("trace JSON") << QByteArray("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[]}")
                                    << QByteArray("Chrome trace JSON is not read yet");
        QTest::newRow("trace JSON array")
            << QByteArray(" [{\"ph\":\"X\",\"ts\":0}]") << QByteArray("Chrome trace JSON is not read yet");
        QTest::newRow("Perfetto") << perfettoTrace() << QByteArray("a Perfetto trace is not read yet");
        QTest::newRow("pprof") << gzip(heapProfile()) << QByteArray("a heap profile (pprof) is not read yet");
        QTest::newRow("mangled") << QByteArray("a\xef\xbf\xbd"
                                               "b")
                                        .repeated(20)
                                 << QByteArray("the file went through a text conversion");
    }

    void saysWhatAFileIs()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, message);
        const QString path = write(newFolder() + QStringLiteral("/file"), bytes);
        const auto document = open(path);
        QVERIFY(!document.hasValue());
        const QByteArray text = QByteArray::fromStdString(document.error().format());
        QVERIFY2(text.startsWith((path + QStringLiteral(": error: ")).toUtf8()), text.constData());
        QVERIFY2(text.contains(message), text.constData());
        QCOMPARE(text.count('\n'), 0);
    }

    void opensSerialisedModules_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("kind");
        QTest::newRow("module") << hloModuleProto() << QByteArray("hlo_module_proto");
        QTest::newRow("HloProto") << field(1, hloModuleProto()) << QByteArray("hlo_proto");
        QTest::newRow("snapshot") << field(1, field(1, hloModuleProto())) + field(4, "TPU")
                                  << QByteArray("hlo_snapshot");
    }

    void opensSerialisedModules()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, kind);
        const auto document = open(write(newFolder() + QStringLiteral("/m.pb"), bytes));
        QVERIFY2(document.hasValue(), document ? "" : document.error().format().c_str());
        QCOMPARE(QByteArray(fileKindName(document->kind).data()), kind);
        QCOMPARE(document->modules.at(0)->name, std::string_view("jit_f"));
    }

    void saysWhenAFileIsMissing()
    {
        const auto missing = open(m_folder.filePath(QStringLiteral("none")));
        QVERIFY(missing.error().format().find("none: error: cannot be opened: No such file") != std::string::npos);
    }

    void saysWhenAFileMayNotBeRead()
    {
        if (::geteuid() == 0)
            QSKIP("root may read everything");
        const QString path = write(newFolder() + QStringLiteral("/secret"), kHlo);
        QFile::setPermissions(path, {});
        QVERIFY(open(path).error().format().find("secret: error: cannot be opened: Permission denied")
                != std::string::npos);
    }

    // Each op of the bundled profile is tied to the instruction that its own stats name, in the module of its program.
    void opensTheModulesOfAProfile()
    {
        const auto document =
            open(QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/samples/transformer_training.cpu8.xplane.pb.gz"));
        QVERIFY(document.hasValue());
        QVERIFY(document->problems.empty());
        QCOMPARE(document->modules.size(), size_t(18));
        const Trace& trace = *document->traces.at(0);
        size_t ops = 0;
        for (size_t i = 0; i < trace.eventCount(); ++i) {
            const EventKind& kind = trace.kind(EventId(i));
            std::map<std::string, std::string> arguments;
            for (const Argument& argument : trace.arguments(EventId(i)))
                arguments[argument.name] = argument.value;
            QCOMPARE(kind.instruction.isValid(), arguments.contains("hlo_op"));
            if (!kind.instruction.isValid())
                continue;
            ++ops;
            const HloModule* module = trace.moduleOf(kind);
            QVERIFY(module != nullptr);
            QCOMPARE(module->instruction(kind.instruction).name, std::string_view(arguments.at("hlo_op")));
            QCOMPARE(module->name, std::string_view(arguments.at("hlo_module")));
            QCOMPARE(std::to_string(kind.programId.value()), arguments.at("program_id"));
        }
        QCOMPARE(ops, size_t(5760));
    }

    void opensTheNewestRunOfALogDirectory_data()
    {
        QTest::addColumn<QString>("inside");
        QTest::newRow("log directory") << QString();
        QTest::newRow("plugins") << QStringLiteral("/plugins");
        QTest::newRow("run") << QStringLiteral("/plugins/profile/2026_11_29_16_16_20");
    }

    void opensTheNewestRunOfALogDirectory()
    {
        QFETCH(QString, inside);
        const QString folder = newFolder();
        const QString runs = folder + QStringLiteral("/plugins/profile/");
        write(runs + QStringLiteral("2026_11_29_16_16_20/a.xplane.pb"), profile());
        write(runs + QStringLiteral("2026_11_29_16_16_20/b.xplane.pb"), profile().left(100));
        write(runs + QStringLiteral("2026_11_29_16_16_20/c.xplane.pb"), "no profile");
        write(runs + QStringLiteral("2026_11_29_16_16_20/a.trace.json.gz"), gzip("{}"));
        write(runs + QStringLiteral("2026_11_28_09_00_00/a.xplane.pb"), profile());
        const auto document = open(folder + inside);
        QVERIFY(document.hasValue());
        QCOMPARE(document->kind, FileKind::LogDirectory);
        QCOMPARE(document->path, (folder + inside).toStdString());
        QCOMPARE(document->traces.size(), size_t(2)); // hosts a and b
        QStringList messages;
        for (const Diagnostic& diagnostic : document->problems.diagnostics()) {
            QCOMPARE(diagnostic.severity, Severity::Warning);
            messages << QString::fromStdString(diagnostic.format());
        }
        QVERIFY2(messages.filter(QStringLiteral("c.xplane.pb: warning: ")).size() == 1,
                 qPrintable(messages.join('\n')));
        QCOMPARE(messages.filter(QStringLiteral("1 older ones are not: 2026_11_28_09_00_00")).size(),
                 inside.endsWith(QStringLiteral("20")) ? 0 : 1);
    }

    void opensAnXlaDump()
    {
        const QString folder = newFolder();
        for (const char* name :
             {"module_0001.jit_f.cl_1.before_optimizations.txt", "module_0001.jit_f.cl_1.after_optimizations.txt",
              "module_0003.jit_g.after_optimizations.txt",
              "module_0003.jit_g.after_optimizations-buffer-assignment.txt", "README.md"})
            write(folder + QLatin1Char('/') + QLatin1String(name),
                  QByteArray(kHlo).replace("m\n", QByteArray(name).mid(12, 5) + "\n"));
        const auto document = open(folder);
        QVERIFY(document.hasValue());
        QCOMPARE(document->kind, FileKind::XlaDump);
        QCOMPARE(document->modules.size(), size_t(2));
        QCOMPARE(document->modules[0]->name, std::string_view("jit_f"));
        QCOMPARE(document->modules[1]->name, std::string_view("jit_g"));
        QCOMPARE(document->problems.counts().at("further files of the dump, not shown"), uint64_t(2));
    }

    void refusesDirectoriesWithoutAnything()
    {
        const QString empty = newFolder();
        QVERIFY(open(empty).error().message == "the directory is empty");
        const QString useless = newFolder();
        write(useless + QStringLiteral("/sub/notes.txt"), "x");
        QVERIFY(open(useless).error().message == "there is nothing in this directory that can be opened");
        const QString broken = newFolder();
        write(broken + QStringLiteral("/a.xplane.pb"), "no profile");
        QVERIFY(open(broken).error().format().find("a.xplane.pb: error: ") != std::string::npos);
    }

    void opensRealFiles_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<int>("traces");
        QTest::newRow("log directory") << QStringLiteral("profiles/cpu8") << QByteArray("log_dir") << 1;
        QTest::newRow("dump") << QStringLiteral("dumps/xla") << QByteArray("xla_dump") << 0;
        QTest::newRow("mangled") << QStringLiteral("profiles/third-party/broken/utf8_mangled.xplane.pb")
                                 << QByteArray("xspace") << 1;
    }

    void opensRealFiles()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, kind);
        QFETCH(int, traces);
        const QString full = testdata::shared(path);
        if (full.isEmpty())
            QSKIP("the shared folder with real files is not here");
        const auto document = open(full);
        QVERIFY2(document.hasValue(), document ? "" : document.error().format().c_str());
        QCOMPARE(QByteArray(fileKindName(document->kind).data()), kind);
        QCOMPARE(static_cast<int>(document->traces.size()), traces);
        QVERIFY(!document->modules.empty() || traces > 0);
    }

    void canBeCancelled()
    {
        const QString path = write(newFolder() + QStringLiteral("/file"), profile());
        Progress progress;
        progress.cancel();
        QVERIFY(!openDocument(path.toStdString(), &progress).hasValue());
    }
};

QTEST_APPLESS_MAIN(TestDocument)
#include "tst_document.moc"
