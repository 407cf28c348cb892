// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_layout_client.h"

#include "core/graph/layered_layout.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace hloscope {

GraphLayoutClient::GraphLayoutClient(QObject* parent) : QObject(parent)
{
    m_debounce.setSingleShot(true);
    m_timeout.setSingleShot(true);
    connect(&m_debounce, &QTimer::timeout, this, &GraphLayoutClient::start);
    connect(&m_timeout, &QTimer::timeout, this,
            [this] { fallBack(GraphLayoutReply::Origin::TimedOut, tr("no answer after %1 ms").arg(m_timeoutMs)); });
}

GraphLayoutClient::~GraphLayoutClient()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(1000);
}

QString GraphLayoutClient::defaultHelper()
{
    QString path = QCoreApplication::applicationDirPath() + QStringLiteral("/hloscope-graph-layout");
#ifdef Q_OS_WIN
    path += QStringLiteral(".exe");
#endif
    return path;
}

void GraphLayoutClient::setHelper(const QString& path)
{
    m_helper = path;
    if (!m_isSent)
        dropProcess();
}

void GraphLayoutClient::request(LayoutProblem problem)
{
    const bool isBurst = m_isBusy || (m_sinceRequest.isValid() && m_sinceRequest.elapsed() < kDebounceMs);
    if (m_isSent)
        dropProcess();
    m_sinceRequest.start();
    m_problem = std::move(problem);
    m_isBusy = true;
    m_debounce.start(isBurst ? kDebounceMs : 0);
}

void GraphLayoutClient::cancel()
{
    m_debounce.stop();
    if (m_isSent)
        dropProcess();
    m_isBusy = false;
}

void GraphLayoutClient::start()
{
    m_message = QByteArray::fromStdString(toWire(m_problem));
    if (const LayoutResult* known = m_cache.object(m_message)) {
        finish({*known, GraphLayoutReply::Origin::Graphviz, {}});
        return;
    }
    if (const auto reason = whyRefused(m_problem)) {
        fallBack(GraphLayoutReply::Origin::Refused, QString::fromStdString(*reason));
        return;
    }
    if (!m_process || m_process->state() == QProcess::NotRunning) {
        if (!QFileInfo(m_helper).isExecutable()) {
            fallBack(GraphLayoutReply::Origin::HelperMissing, m_helper);
            return;
        }
        startProcess();
    }
    m_received.clear();
    m_isSent = true;
    m_timeout.start(m_timeoutMs);
    m_process->write(QByteArray::fromStdString(
        framed(std::string_view(m_message.constData(), static_cast<size_t>(m_message.size())))));
}

void GraphLayoutClient::startProcess()
{
    m_process = new QProcess(this);
    m_process->setStandardErrorFile(QProcess::nullDevice());
    connect(m_process, &QProcess::readyReadStandardOutput, this, &GraphLayoutClient::readReply);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart && m_isSent)
            fallBack(GraphLayoutReply::Origin::HelperMissing, m_helper);
    });
    connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        if (m_isSent)
            fallBack(GraphLayoutReply::Origin::HelperFailed,
                     status == QProcess::CrashExit ? tr("it crashed") : tr("it ended with status %1").arg(code));
    });
    m_process->start(m_helper, QStringList());
}

// Also the way to interrupt a layout: the next request starts a fresh process.
void GraphLayoutClient::dropProcess()
{
    m_timeout.stop();
    m_isSent = false;
    if (!m_process)
        return;
    QProcess* process = m_process;
    m_process = nullptr;
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

void GraphLayoutClient::readReply()
{
    if (!m_process || !m_isSent)
        return;
    m_received += m_process->readAllStandardOutput();
    if (m_received.size() < static_cast<qsizetype>(kFramePrefixBytes))
        return;
    const uint32_t length = frameLength(m_received.constData());
    if (length > LayoutProblem::kMaxMessageBytes) {
        fallBack(GraphLayoutReply::Origin::HelperFailed, tr("its answer has %1 bytes").arg(length));
        return;
    }
    if (static_cast<size_t>(m_received.size()) < kFramePrefixBytes + length)
        return;
    const std::string_view bytes(m_received.constData() + kFramePrefixBytes, length);
    Expected<LayoutResult> result = resultFromWire(bytes, m_problem);
    if (!result) {
        m_timeout.stop();
        m_isSent = false; // it is alive and may go on
        fallBack(GraphLayoutReply::Origin::Refused, QString::fromStdString(result.error().message));
        return;
    }
    m_timeout.stop();
    m_isSent = false;
    finishWith(std::move(*result));
}

void GraphLayoutClient::finishWith(LayoutResult layout)
{
    m_cache.insert(m_message, new LayoutResult(layout));
    finish({std::move(layout), GraphLayoutReply::Origin::Graphviz, {}});
}

void GraphLayoutClient::fallBack(GraphLayoutReply::Origin origin, const QString& message)
{
    if (m_isSent)
        dropProcess();
    finish({layeredLayout(m_problem), origin, message});
}

void GraphLayoutClient::finish(const GraphLayoutReply& reply)
{
    m_isBusy = false;
    emit finished(reply);
}

} // namespace hloscope
