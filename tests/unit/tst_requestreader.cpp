// SPDX-License-Identifier: Apache-2.0
#include "serve/http/requestreader.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_requestreader {

using namespace lockkeeper;
using serve::HttpStatus;
using serve::RequestReader;
using State = RequestReader::State;

class TestRequestReader : public QObject {
    Q_OBJECT

private:
    static constexpr qsizetype most = 8192;

private Q_SLOTS:
    void readsARequest() {
        RequestReader reader(most);
        QCOMPARE(reader.add("GET /metrics?a=b HTTP/1.1\r\nHost: h:1\r\nACCEPT:  text/plain \r\n\r\n"), State::Complete);
        QCOMPARE(reader.request().method, serve::HttpRequest::Method::Get);
        QCOMPARE(reader.request().path, QByteArray("/metrics"));
        QCOMPARE(reader.request().header("host"), QByteArray("h:1"));
        QCOMPARE(reader.request().header("accept"), QByteArray("text/plain"));
        QCOMPARE(reader.request().header("other"), QByteArray());
    }

    void readsItByteByByte() {
        const QByteArray whole = "HEAD / HTTP/1.0\r\nX: y\r\n\r\n";
        RequestReader reader(most);
        for (const char byte : whole.chopped(1))
            QCOMPARE(reader.add(QByteArrayView(&byte, 1)), State::Incomplete);
        QCOMPARE(reader.add("\n"), State::Complete);
        QCOMPARE(reader.request().method, serve::HttpRequest::Method::Head);
        QCOMPARE(reader.add("GET / HTTP/1.1\r\n\r\n"), State::Complete);
        QCOMPARE(reader.request().method, serve::HttpRequest::Method::Head);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<HttpStatus>("status");
        const auto row = [](const char* name, const QByteArray& bytes, HttpStatus status) {
            QTest::addRow("%s", name) << bytes << status;
        };
        const QByteArray get = "GET / HTTP/1.1\r\nHost: h\r\n";
        row("POST", "POST /metrics HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", HttpStatus::MethodNotAllowed);
        row("a method in small letters", "get / HTTP/1.1\r\nHost: h\r\n\r\n", HttpStatus::MethodNotAllowed);
        row("no HTTP", "hello\r\n\r\n", HttpStatus::BadRequest);
        row("TLS without TLS", QByteArray("\x16\x03\x01\r\n\r\n", 7), HttpStatus::BadRequest);
        row("HTTP/2", "GET / HTTP/2.0\r\n\r\n", HttpStatus::VersionNotSupported);
        row("another version", "GET / HTTP/1.11\r\n\r\n", HttpStatus::VersionNotSupported);
        row("no target", "GET  HTTP/1.1\r\nHost: h\r\n\r\n", HttpStatus::BadRequest);
        row("a whole URL", "GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n", HttpStatus::BadRequest);
        row("a blank in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", HttpStatus::BadRequest);
        row("no host", "GET / HTTP/1.1\r\n\r\n", HttpStatus::BadRequest);
        row("two hosts", get + "Host: i\r\n\r\n", HttpStatus::BadRequest);
        row("two authorizations", get + "Authorization: a\r\nAuthorization: b\r\n\r\n", HttpStatus::BadRequest);
        row("a body", get + "Content-Length: 5\r\n\r\n", HttpStatus::ContentTooLarge);
        row("chunks", get + "Transfer-Encoding: chunked\r\n\r\n", HttpStatus::ContentTooLarge);
        row("two lengths", get + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n", HttpStatus::ContentTooLarge);
        row("a blank before the colon", get + "A : b\r\n\r\n", HttpStatus::BadRequest);
        row("a continued line", get + "A: b\r\n c\r\n\r\n", HttpStatus::BadRequest);
        row("a bare line feed", get + "A: b\nC: d\r\n\r\n", HttpStatus::BadRequest);
        row("a zero byte", get + QByteArray("A: \0\r\n\r\n", 8), HttpStatus::BadRequest);
        row("no colon", get + "A\r\n\r\n", HttpStatus::BadRequest);
        row("too many headers", get + QByteArray("A: b\r\n").repeated(64) + "\r\n", HttpStatus::HeadTooLarge);
        row("a long header", get + "A: " + QByteArray(most, 'b') + "\r\n\r\n", HttpStatus::HeadTooLarge);
        row("a head without an end", QByteArray(2 * most, 'a'), HttpStatus::HeadTooLarge);
    }
    void refuses() {
        QFETCH(QByteArray, bytes);
        RequestReader whole(most);
        QCOMPARE(whole.add(bytes), State::Refused);
        QTEST(whole.refusal(), "status");
        RequestReader inParts(most);
        for (qsizetype i = 0; i < bytes.size() && inParts.state() == State::Incomplete; ++i)
            (void)inParts.add(QByteArrayView(bytes).sliced(i, 1));
        QCOMPARE(inParts.state(), State::Refused);
        QTEST(inParts.refusal(), "status");
    }

    // A head of exactly the limit is taken, one byte more is not.
    void theLimitIsExact() {
        const QByteArray begin = "GET / HTTP/1.1\r\nHost: h\r\nA: ";
        for (const qsizetype more : {0, 1}) {
            RequestReader reader(most);
            const State state = reader.add(begin + QByteArray(most - begin.size() + more, 'b') + "\r\n\r\n");
            QCOMPARE(state, more == 0 ? State::Complete : State::Refused);
        }
    }
};

LOCKKEEPER_TEST(TestRequestReader, Appless)

}  // namespace tst_requestreader

#include "tst_requestreader.moc"
