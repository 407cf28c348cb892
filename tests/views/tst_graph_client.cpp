// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_layout_client.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace hloscope;
using Origin = GraphLayoutReply::Origin;

namespace {

LayoutProblem chain(uint32_t count)
{
    LayoutProblem problem;
    problem.boxes.assign(count, {100, 40, 0});
    for (uint32_t i = 1; i < count; ++i)
        problem.edges.push_back({i - 1, i});
    return problem;
}

// Keeps Graphviz busy for about a second: layers of 25 boxes with random edges between them.
LayoutProblem slow()
{
    LayoutProblem problem = chain(1000);
    for (uint32_t i = 0; i < 4000; ++i)
        problem.edges.push_back({i * 7919 % 800, 800 + i * 104729 % 200});
    return problem;
}

bool isAlive(qint64 pid)
{
    return ::kill(static_cast<pid_t>(pid), 0) == 0;
}

} // namespace

class TestGraphClient : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::vector<GraphLayoutReply> m_replies;

    std::unique_ptr<GraphLayoutClient> makeClient()
    {
        m_replies.clear();
        auto client = std::make_unique<GraphLayoutClient>();
        connect(client.get(), &GraphLayoutClient::finished, this,
                [this](const GraphLayoutReply& reply) { m_replies.push_back(reply); });
        return client;
    }

    QString script(const QString& body)
    {
        QFile file(m_folder.filePath(QStringLiteral("helper")));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            return {};
        file.write("#!/bin/sh\n" + body.toUtf8() + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }

private slots:
    void laysOutWithTheRealHelper()
    {
        QVERIFY2(QFile::exists(GraphLayoutClient::defaultHelper()), "hloscope-graph-layout stands beside the tests");
        const auto client = makeClient();
        client->request(chain(3));
        QVERIFY(client->isBusy());
        QTRY_COMPARE(m_replies.size(), size_t(1));
        QVERIFY(!client->isBusy());
        QCOMPARE(m_replies[0].origin, Origin::Graphviz);
        // Boxes of 40 with 34 between them.
        QCOMPARE(qRound(m_replies[0].layout.centres[2].y - m_replies[0].layout.centres[0].y), 148);
    }

    void keepsTheProcess()
    {
        const auto client = makeClient();
        client->request(chain(3));
        QTRY_COMPARE(m_replies.size(), size_t(1));
        const qint64 pid = client->helperId();
        QVERIFY(pid > 0);
        client->request(chain(4));
        QTRY_COMPARE(m_replies.size(), size_t(2));
        QCOMPARE(client->helperId(), pid);
        QCOMPARE(m_replies[1].layout.centres.size(), size_t(4));
    }

    void answersAKnownProblemWithoutTheHelper()
    {
        const auto client = makeClient();
        client->request(chain(5));
        QTRY_COMPARE(m_replies.size(), size_t(1));
        ::kill(static_cast<pid_t>(client->helperId()), SIGKILL);
        client->setHelper(QStringLiteral("/nonexistent"));
        client->request(chain(5));
        QTRY_COMPARE(m_replies.size(), size_t(2));
        QCOMPARE(m_replies[1].origin, Origin::Graphviz);
        QVERIFY(m_replies[1].layout.centres == m_replies[0].layout.centres);
    }

    void theLastOfManyRequestsIsAnswered()
    {
        const auto client = makeClient();
        for (uint32_t count = 2; count < 12; ++count)
            client->request(chain(count));
        QTRY_COMPARE(m_replies.size(), size_t(1));
        QCOMPARE(m_replies[0].layout.centres.size(), size_t(11));
        QTest::qWait(2 * GraphLayoutClient::kDebounceMs);
        QCOMPARE(m_replies.size(), size_t(1));
    }

    void aNewRequestKillsTheBusyHelper()
    {
        const auto client = makeClient();
        client->request(slow());
        QTRY_VERIFY(client->helperId() > 0);
        const qint64 pid = client->helperId();
        client->request(chain(2));
        QTRY_COMPARE(m_replies.size(), size_t(1));
        QCOMPARE(m_replies[0].layout.centres.size(), size_t(2));
        QCOMPARE(m_replies[0].origin, Origin::Graphviz);
        QTRY_VERIFY(!isAlive(pid));
        QVERIFY(client->helperId() != pid);
    }

    void cancelKillsTheBusyHelper()
    {
        const auto client = makeClient();
        client->request(slow());
        QTRY_VERIFY(client->helperId() > 0);
        const qint64 pid = client->helperId();
        client->cancel();
        QVERIFY(!client->isBusy());
        QTRY_VERIFY(!isAlive(pid));
        QTest::qWait(50);
        QVERIFY(m_replies.empty());
        client->request(chain(2)); // and it goes on afterwards
        QTRY_COMPARE(m_replies.size(), size_t(1));
        QCOMPARE(m_replies[0].origin, Origin::Graphviz);
    }

    void aKilledHelperIsReplaced()
    {
        const auto client = makeClient();
        client->request(chain(3));
        QTRY_COMPARE(m_replies.size(), size_t(1));
        const qint64 pid = client->helperId();
        ::kill(static_cast<pid_t>(pid), SIGKILL);
        QTRY_VERIFY(!isAlive(pid));
        client->request(chain(4));
        QTRY_COMPARE(m_replies.size(), size_t(2));
        QCOMPARE(m_replies[1].origin, Origin::Graphviz);
        QCOMPARE(m_replies[1].layout.centres.size(), size_t(4));
    }

    void fallsBack_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<Origin>("origin");
        QTest::newRow("missing") << QString() << Origin::HelperMissing;
        QTest::newRow("ends at once") << "exit 3" << Origin::HelperFailed;
        QTest::newRow("crashes") << "read x; kill -SEGV $$" << Origin::HelperFailed;
        QTest::newRow("hangs") << "exec sleep 60" << Origin::TimedOut;
        QTest::newRow("absurd length") << "printf '\\377\\377\\377\\377'; exec sleep 60" << Origin::HelperFailed;
        QTest::newRow("no reply message")
            << "printf '\\003\\000\\000\\000\\377\\377\\377'; exec sleep 60" << Origin::Refused;
        QTest::newRow("empty reply") << "printf '\\000\\000\\000\\000'; exec sleep 60" << Origin::Refused;
    }

    // Whatever the helper does, there is a layout in the end: that of a chain, by our own method.
    void fallsBack()
    {
        QFETCH(QString, body);
        QFETCH(Origin, origin);
        const auto client = makeClient();
        client->setHelper(body.isEmpty() ? m_folder.filePath(QStringLiteral("none")) : script(body));
        client->setTimeout(700);
        client->request(chain(3));
        QTRY_COMPARE(m_replies.size(), size_t(1));
        QCOMPARE(m_replies[0].origin, origin);
        QCOMPARE(m_replies[0].layout.centres.size(), size_t(3));
        QVERIFY(m_replies[0].layout.centres[0].y < m_replies[0].layout.centres[2].y);
        QVERIFY(!m_replies[0].message.isEmpty());
        client->setHelper(GraphLayoutClient::defaultHelper());
        client->request(chain(6));
        QTRY_COMPARE(m_replies.size(), size_t(2));
        QCOMPARE(m_replies[1].layout.centres.size(), size_t(6));
    }

    void doesNotSendWhatIsTooLarge()
    {
        const auto client = makeClient();
        client->request(chain(1001));
        QTRY_COMPARE(m_replies.size(), size_t(1));
        QCOMPARE(m_replies[0].origin, Origin::Refused);
        QCOMPARE(m_replies[0].layout.centres.size(), size_t(1001));
        QCOMPARE(client->helperId(), 0);
    }
};

QTEST_GUILESS_MAIN(TestGraphClient)
#include "tst_graph_client.moc"
