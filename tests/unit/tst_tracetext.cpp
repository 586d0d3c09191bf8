// SPDX-License-Identifier: Apache-2.0
#include "recording/recordingfile.h"
#include "support/testprogram.h"
#include "ui/words/tracetext.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_tracetext {

using namespace lockkeeper;
using namespace lockkeeper::recording;
using namespace std::chrono_literals;

class TestTraceText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachNoteHasItsSentence_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("notThese");
        const QByteArray line = ".000000 [0 1.2.3.4:5] \"DEL\" \"x\"\n";
        const QString noLock = QStringLiteral("shows no lock");
        QTest::newRow("a key that is none") << QByteArray("127.0.0.1:6379> HGETALL x\n(empty array)\n")
                                            << QStringLiteral("No answer in it shows a lock") << QString();
        QTest::newRow("a lock") << QByteArray(
                                       "127.0.0.1:6379> HGETALL x\n1) \"c9c2b94e-4f38-498e-813b-28a88f1cb79d:24\"\n"
                                       "2) \"1\"\n")
                                << QStringLiteral("The TTL of 1 lock") << QStringLiteral("No answer in it");
        QTest::newRow("a trace of others") << QByteArray("1795970000" + line) << noLock << QString();
        QTest::newRow("a trace of a lock")
            << QByteArray(
                   "1795970000.000000 [0 lua] \"hset\" \"x\" \"c9c2b94e-4f38-498e-813b-28a88f1cb79d:24\" \"1\"\n")
            << QStringLiteral("locks that nothing has touched") << noLock;
        QTest::newRow("a late line") << QByteArray("1795970001" + line + "1795970000" + line)
                                     << QStringLiteral("a little older") << QStringLiteral("jump");
        QTest::newRow("a clock that was set") << QByteArray("1795970001" + line + "1795900000" + line)
                                              << QStringLiteral("times jump 1 time") << QStringLiteral("older");
    }
    void eachNoteHasItsSentence() {
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        QFETCH(QString, notThese);
        const RecordingFile::Opened opened =
            RecordingFile::open({text, QStringLiteral("pasted"), WallTime(1'795'970'300s)});
        QVERIFY(opened.file);
        const QString sentences = ui::traceNotesText(*opened.file->trace());
        QVERIFY2(sentences.contains(words), qPrintable(sentences));
        QVERIFY2(notThese.isEmpty() || !sentences.contains(notThese), qPrintable(sentences));
    }

    // What was pasted has no file.
    void theTimeOfAStateIsThatOfTheFileOrOfPasting() {
        const QByteArray text = "127.0.0.1:6379> HGETALL x\n(empty array)\n";
        const RecordingFile::Opened pasted =
            RecordingFile::open({text, QStringLiteral("pasted"), WallTime(1'795'970'300s)});
        QVERIFY(pasted.file);
        QVERIFY(ui::traceNotesText(*pasted.file->trace()).contains(QStringLiteral("at which it was pasted")));
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("state.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const RecordingFile::Opened read = RecordingFile::open(file.fileName());
        QVERIFY(read.file);
        QVERIFY(ui::traceNotesText(*read.file->trace()).contains(QStringLiteral("the time of the file")));
    }
};

LOCKKEEPER_TEST(TestTraceText, Guiless)

}  // namespace tst_tracetext

#include "tst_tracetext.moc"
