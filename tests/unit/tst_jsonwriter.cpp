// SPDX-License-Identifier: Apache-2.0
#include "base/exacttext.h"
#include "monitor/format/jsonwriter.h"
#include "support/awkwardnames.h"
#include "support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

namespace tst_jsonwriter {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

QByteArray byQt(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

}  // namespace

// The reference is what Qt writes for the same object.
class TestJsonWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesEachTypeAsQtDoes() {
        JsonWriter json;
        json.beginObject();
        json.field("at", WallTime(1769861520123ms));
        json.field("big", qint64{9007199254740993});
        json.beginArray("empty");
        json.endArray();
        json.beginArray("many");
        json.number(1);
        json.number(-2);
        json.endArray();
        json.field("no", false);
        json.beginArray("objects");
        for (int i = 0; i < 2; ++i) {
            json.beginObject();
            json.field("text", u"x");
            json.endObject();
        }
        json.endArray();
        json.beginObject("one");
        json.endObject();
        json.field("other", QJsonObject{{"a", 1}});
        json.endObject();
        const QJsonObject object{{"text", "x"}};
        QCOMPARE(json.json(), byQt({{"at", "2026-01-31T12:12:00.123Z"},
                                    {"big", qint64{9007199254740993}},
                                    {"empty", QJsonArray()},
                                    {"many", QJsonArray{1, -2}},
                                    {"no", false},
                                    {"objects", QJsonArray{object, object}},
                                    {"one", QJsonObject()},
                                    {"other", QJsonObject{{"a", 1}}}}));
    }

    void writesTextsAsQtDoes_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("every sign of ASCII") << [] {
            QString all;
            for (char16_t sign = 0; sign < 0x80; ++sign)
                all += QChar(sign);
            return all;
        }();
        for (const char* text :
             {"plain", "a \"quote\"", "back\\slash", "two\nlines", "caf\u00e9", "\u2028", "\U0001f512"})
            QTest::newRow(text) << QString::fromUtf8(text);
        QTest::newRow("half a pair") << QString(QChar(0xd83d));
    }
    void writesTextsAsQtDoes() {
        QFETCH(const QString, text);
        JsonWriter json;
        json.beginObject();
        json.field("text", text);
        json.endObject();
        QCOMPARE(json.json(), byQt({{"text", text}}));
    }

    void writesBytesAsTextOrAsBase64_data() { test::addAwkwardNames(); }
    void writesBytesAsTextOrAsBase64() {
        QFETCH(const QByteArray, name);
        JsonWriter json;
        json.beginObject();
        json.bytes("lock", name);
        json.endObject();
        const std::optional<QString> text = exactText(name);
        const QString base64 = QString::fromLatin1(name.toBase64());
        QCOMPARE(json.json(), text ? byQt({{"lock", *text}}) : byQt({{"lock_base64", base64}}));
    }
};

LOCKKEEPER_TEST(TestJsonWriter, Appless)

}  // namespace tst_jsonwriter

#include "tst_jsonwriter.moc"
