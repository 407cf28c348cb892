// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/layout_problem.h"

#include <QByteArray>
#include <QCache>
#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QString>
#include <QTimer>

namespace hloscope {

struct GraphLayoutReply {
    enum class Origin : uint8_t {
        Graphviz,
        HelperMissing, // from here on: our own layout, and why
        HelperFailed, // it died or wrote nonsense
        TimedOut,
        Refused, // it answered with an error
    };

    LayoutResult layout;
    Origin origin = Origin::Graphviz;
    QString message; // technical detail, may be empty
};

// Has graphs laid out by the program hloscope-graph-layout. At most one request is under way: a new one replaces it,
// and since Graphviz cannot be interrupted the busy process is killed for that. Requests in quick succession are
// collected for 200 ms, a single one starts at once. Whatever happens to the helper, each request that is not replaced
// or cancelled ends with finished().
class GraphLayoutClient : public QObject {
    Q_OBJECT

public:
    static constexpr int kDebounceMs = 200;
    static constexpr int kTimeoutMs = 10'000;

    explicit GraphLayoutClient(QObject* parent = nullptr);
    ~GraphLayoutClient() override;

    // The helper beside the program's own binary.
    static QString defaultHelper();
    // Another program takes over with the next request.
    void setHelper(const QString& path);
    void setTimeout(int milliseconds) { m_timeoutMs = milliseconds; }

    void request(LayoutProblem problem);
    void cancel();
    bool isBusy() const { return m_isBusy; }
    // Of the helper process; 0 while there is none.
    qint64 helperId() const { return m_process ? m_process->processId() : 0; }

signals:
    void finished(const hloscope::GraphLayoutReply& reply);

private:
    void start();
    void startProcess();
    void dropProcess();
    void readReply();
    void finishWith(LayoutResult layout);
    void fallBack(GraphLayoutReply::Origin origin, const QString& message);
    void finish(const GraphLayoutReply& reply);

    QString m_helper = defaultHelper();
    int m_timeoutMs = kTimeoutMs;
    LayoutProblem m_problem;
    QByteArray m_message; // the problem as sent, key of the cache
    QByteArray m_received;
    bool m_isBusy = false; // a request waits or is under way
    bool m_isSent = false; // the helper works on it
    QPointer<QProcess> m_process;
    QTimer m_debounce;
    QTimer m_timeout;
    QElapsedTimer m_sinceRequest;
    QCache<QByteArray, LayoutResult> m_cache{24};
};

} // namespace hloscope
