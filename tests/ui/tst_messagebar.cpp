// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/messagebar.h"

#include <QLabel>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

namespace tst_messagebar {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

class TestMessageBar : public QObject {
    Q_OBJECT

private:
    // Posts messages of four lines each.
    void post(const QString& name) {
        const QString text =
            name + QStringLiteral(": held longer than 2 s by a client\nsecond line\nthird line\nfourth line");
        m_bar->post([text] { return Message{Tone::Warning, text}; });
    }
    void setHeight(int height) {
        m_window->resize(680, height);
        QCoreApplication::processEvents();
    }
    QList<InlineMessage*> messages() const {
        QList<InlineMessage*> shown = m_bar->findChildren<InlineMessage*>();
        shown.removeIf([](const InlineMessage* one) { return !one->isVisible(); });
        return shown;
    }
    static QString seen(const InlineMessage& message) {
        return message.findChild<QLabel*>(QStringLiteral("messageText"))->text();
    }

    ManualClock m_clock;
    std::unique_ptr<QWidget> m_window;
    MessageBar* m_bar = nullptr;

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<QWidget>();
        auto* layout = new QVBoxLayout(m_window.get());
        layout->addStretch(1);
        m_bar = new MessageBar(m_clock);
        layout->addWidget(m_bar);
        m_window->show();
        setHeight(400);
    }
    void cleanup() { m_window.reset(); }

    void inALowWindowTheOlderOnesAreFolded() {
        for (const char* name : {"first", "second", "third"})
            post(QString::fromLatin1(name));
        QCoreApplication::processEvents();
        QCOMPARE(messages().size(), 3);
        QVERIFY(messages()[0]->isFolded() && messages()[1]->isFolded() && !messages()[2]->isFolded());
        QVERIFY2(seen(*messages()[0]).startsWith(QStringLiteral("first: held longer")),
                 qPrintable(seen(*messages()[0])));
        QVERIFY(!seen(*messages()[0]).contains(u'\n'));
        QVERIFY(messages()[0]
                    ->findChild<QLabel*>(QStringLiteral("messageText"))
                    ->toolTip()
                    .contains(QStringLiteral("fourth line")));
        QVERIFY(messages()[0]->height() < messages()[2]->height());
        QVERIFY2(m_bar->texts().first().endsWith(QStringLiteral("fourth line")), "the text itself is whole");
    }

    void noLineIsCut() {
        for (const char* name : {"first", "second", "third"})
            post(QString::fromLatin1(name));
        QCoreApplication::processEvents();
        for (const InlineMessage* message : messages()) {
            const QLabel& text = *message->findChild<QLabel*>(QStringLiteral("messageText"));
            QVERIFY(text.height() >= text.sizeHint().height());
            QVERIFY(m_bar->rect().contains(message->geometry()));
        }
    }

    void inAHighWindowAllAreWhole() {
        for (const char* name : {"first", "second", "third"})
            post(QString::fromLatin1(name));
        setHeight(1400);
        for (const InlineMessage* message : messages())
            QVERIFY(!message->isFolded());
        setHeight(400);
        QVERIFY(messages()[0]->isFolded());
    }

    void theLastOneIsWholeAgainWhenANewerOneIsClosed() {
        post(QStringLiteral("first"));
        post(QStringLiteral("second"));
        QCoreApplication::processEvents();
        QVERIFY(messages()[0]->isFolded());
        messages()[1]->findChild<QToolButton*>(QStringLiteral("messageClose"))->click();
        QCOMPARE(messages().size(), 1);
        QVERIFY(!messages()[0]->isFolded());
    }
};

LOCKKEEPER_TEST(TestMessageBar, Gui)

}  // namespace tst_messagebar

#include "tst_messagebar.moc"
