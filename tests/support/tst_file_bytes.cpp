// SPDX-License-Identifier: Apache-2.0
#include "core/support/file_bytes.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <zlib.h>
#include <zstd.h>

using namespace hloscope;

namespace {

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

QByteArray zstd(const QByteArray& plain)
{
    QByteArray out(static_cast<int>(ZSTD_compressBound(static_cast<size_t>(plain.size()))), '\0');
    out.truncate(static_cast<int>(ZSTD_compress(out.data(), static_cast<size_t>(out.size()), plain.data(),
                                                static_cast<size_t>(plain.size()), 3)));
    return out;
}

QByteArray sample()
{
    QByteArray text;
    for (qint64 i = 0; i < 400000; ++i)
        text += QByteArray::number(i * 7919) + ' ';
    return text;
}

} // namespace

class TestFileBytes : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string write(const char* name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(bytes);
        return file.fileName().toStdString();
    }

private slots:
    void readsPlainGzipAndZstd_data()
    {
        QTest::addColumn<QByteArray>("stored");
        QTest::newRow("plain") << sample();
        QTest::newRow("gzip") << gzip(sample());
        QTest::newRow("two gzip members") << gzip(sample().left(1000)) + gzip(sample().mid(1000));
        QTest::newRow("zstd") << zstd(sample());
    }

    void readsPlainGzipAndZstd()
    {
        QFETCH(QByteArray, stored);
        const auto file = FileBytes::open(write("sample", stored));
        QVERIFY(file.hasValue());
        QVERIFY((*file)->bytes() == std::string_view(sample().constData(), static_cast<size_t>(sample().size())));
        QVERIFY(!(*file)->truncated());
    }

    void keepsWhatIsLeftOfACutStream_data()
    {
        QTest::addColumn<QByteArray>("stored");
        QTest::newRow("gzip") << gzip(sample());
        QTest::newRow("zstd") << zstd(sample());
    }

    void keepsWhatIsLeftOfACutStream()
    {
        QFETCH(QByteArray, stored);
        const auto file = FileBytes::open(write("cut", stored.left(stored.size() / 2)));
        QVERIFY(file.hasValue());
        QVERIFY((*file)->truncated());
        const std::string_view bytes = (*file)->bytes();
        QVERIFY(!bytes.empty());
        QVERIFY(bytes.size() < static_cast<size_t>(sample().size()));
        QVERIFY(bytes == std::string_view(sample().constData(), bytes.size()));
    }

    void mapsLargeFiles()
    {
        const auto size = static_cast<qint64>(FileBytes::kMapThreshold) + 17;
        QFile file(m_folder.filePath(QStringLiteral("large")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("begin");
        file.resize(size);
        file.seek(size - 3);
        file.write("end");
        file.close();
        const auto opened = FileBytes::open(file.fileName().toStdString());
        QVERIFY(opened.hasValue());
        QCOMPARE((*opened)->bytes().size(), static_cast<size_t>(size));
        QVERIFY((*opened)->bytes().starts_with("begin"));
        QVERIFY((*opened)->bytes().ends_with("end"));
    }

    void saysWhyAFileCannotBeOpened()
    {
        const auto missing = FileBytes::open(m_folder.filePath(QStringLiteral("none")).toStdString());
        QVERIFY(!missing.hasValue());
        QVERIFY(missing.error().format().find("none: error: cannot be opened: No such file") != std::string::npos);
        const auto folder = FileBytes::open(m_folder.path().toStdString());
        QVERIFY(!folder.hasValue());
        QCOMPARE(folder.error().message, std::string("is a directory, not a file"));
        const auto device = FileBytes::open("/dev/zero");
        QVERIFY(!device.hasValue());
        QCOMPARE(device.error().message, std::string("is a device, not a file"));
        const auto broken = FileBytes::open(write("broken", QByteArray("\x1f\x8b\x08\x00garbage", 11)));
        QVERIFY(!broken.hasValue() || (*broken)->truncated());
    }
};

QTEST_APPLESS_MAIN(TestFileBytes)
#include "tst_file_bytes.moc"
