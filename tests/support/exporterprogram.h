// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/httpclient.h"
#include "support/places.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <csignal>

namespace lockkeeper::test {

// The samples of a page of metrics.
class ScrapedPage {
public:
    explicit ScrapedPage(QByteArray text = {}) : m_text('\n' + std::move(text)) {}

    // The value of the first sample of this name that has all these labels, such as target="t"; nothing if there is
    // none.
    [[nodiscard]] std::optional<double> value(const QByteArray& name, const QByteArrayList& labels = {}) const {
        for (const QByteArray& line : m_text.split('\n')) {
            const bool isName = line.startsWith(name + '{') || line.startsWith(name + ' ');
            if (isName &&
                std::ranges::all_of(labels, [&line](const QByteArray& label) { return line.contains(label); }))
                return line.sliced(line.lastIndexOf(' ') + 1).toDouble();
        }
        return std::nullopt;
    }
    [[nodiscard]] const QByteArray& text() const noexcept { return m_text; }

private:
    QByteArray m_text;
};

// `lockkeeper exporter`, on a free port of this machine unless an option of its file says where. Ends with this object.
class ExporterProgram {
public:
    explicit ExporterProgram(const QStringList& arguments, const QString& address = QStringLiteral("127.0.0.1:0")) {
        const QStringList listen = address.isEmpty() ? QStringList() : QStringList{QStringLiteral("--listen"), address};
        m_program.start(places::program(), QStringList(QStringLiteral("exporter")) + listen + arguments);
    }
    ~ExporterProgram() {
        m_program.terminate();
        if (!m_program.waitForFinished(30000))
            m_program.kill();
        m_program.waitForFinished();
    }

    // Whether it has said where its metrics are.
    [[nodiscard]] bool isServing() {
        return QTest::qWaitFor(
            [this] {
                m_errors += m_program.readAllStandardError();
                static const QRegularExpression line(
                    QStringLiteral("event=started [^\n]*url=https?://[^\n]*:(\\d+)/metrics\n"));
                const QRegularExpressionMatch match = line.match(QString::fromUtf8(m_errors));
                if (match.hasMatch())
                    m_port = match.captured(1).toUShort();
                return match.hasMatch();
            },
            30000);
    }
    // SIGHUP. What the log says of it: "reloaded", "not_reloaded" or, if it says nothing, nothing.
    [[nodiscard]] QByteArray reload() {
        const qsizetype before = errors().size();
        ::kill(static_cast<pid_t>(m_program.processId()), SIGHUP);
        QByteArray said;
        const bool isSaid = QTest::qWaitFor(
            [this, before, &said] {
                said = errors().sliced(before);
                return said.contains("reloaded") && said.endsWith('\n');
            },
            30000);
        if (!isSaid)
            return {};
        return said.contains("event=not_reloaded") ? QByteArrayLiteral("not_reloaded") : QByteArrayLiteral("reloaded");
    }
    [[nodiscard]] quint16 port() const noexcept { return m_port; }
    // All that it has printed so far.
    [[nodiscard]] QByteArray errors() {
        m_errors += m_program.readAllStandardError();
        return m_errors;
    }
    // The exit code; -1 if it does not end soon.
    [[nodiscard]] int exitCode() {
        const bool hasEnded = QTest::qWaitFor([this] { return m_program.state() == QProcess::NotRunning; }, 30000);
        return hasEnded ? m_program.exitCode() : -1;
    }
    [[nodiscard]] ScrapedPage scrape(const QByteArray& headers = {}) const {
        HttpClient client(m_port);
        client.send(HttpClient::request("/metrics", headers));
        return ScrapedPage(bodyOf(client.answer()));
    }
    [[nodiscard]] QProcess& process() { return m_program; }

private:
    QProcess m_program;
    QByteArray m_errors;
    quint16 m_port = 0;
};

}  // namespace lockkeeper::test
