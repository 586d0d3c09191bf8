// SPDX-License-Identifier: Apache-2.0
#include "support/fakeengine.h"
#include "support/fakesecretstore.h"
#include "support/guitestprogram.h"
#include "support/widgettest.h"
#include "ui/connections/sshquestioncontroller.h"
#include "ui/connections/sshquestiondialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_sshquestioncontroller {

using namespace lockkeeper;
using namespace lockkeeper::ui;
using topology::SshQuestion;

namespace {

const profile::ProfileId saved(QStringLiteral("saved"));

}  // namespace

class TestSshQuestionController : public test::WidgetTest {
    Q_OBJECT

private:
    static SshQuestion question(SshQuestion::Kind kind, const QString& words, quint64 id = 1) {
        return {topology::SshQuestionId(id), kind, words, QStringLiteral("me@jump")};
    }
    [[nodiscard]] QList<SshQuestionDialog*> dialogs() const {
        QList<SshQuestionDialog*> open;
        for (SshQuestionDialog* dialog : m_window->findChildren<SshQuestionDialog*>()) {
            if (dialog->isVisible())
                open << dialog;
        }
        return open;
    }
    [[nodiscard]] const QWidget& top() const override { return *dialogs().first(); }
    void connectTo(const profile::ProfileId& id, ConnectionPhase phase = ConnectionPhase::Connecting) {
        ConnectionStatus status;
        status.phase = phase;
        status.profile = id;
        m_engine->report(status);
    }
    [[nodiscard]] const test::FakeEngine::SshAnswered& answered() const { return m_engine->sshAnswers.front(); }

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<test::FakeSecretStore> m_secrets;
    SshQuestionController* m_controller = nullptr;  // the window's

private Q_SLOTS:
    void init() {
        m_engine = std::make_unique<test::FakeEngine>();
        m_window = std::make_unique<QWidget>();
        m_window->show();
        m_secrets = std::make_unique<test::FakeSecretStore>();
        const auto mayKeep = [](const profile::ProfileId& id) { return id == saved; };
        m_controller = new SshQuestionController(*m_engine, *m_secrets, mayKeep, *m_window);
        (void)m_engine->open({}, {});
    }
    void cleanup() {
        m_window.reset();
        m_secrets.reset();
        m_engine.reset();
    }

    void aSecretIsTypedUnseen() {
        m_engine->report(question(SshQuestion::Kind::Secret, "me@jump's password: "));
        auto& secret = find<QLineEdit>("sshSecret");
        QCOMPARE(secret.echoMode(), QLineEdit::Password);
        QVERIFY(secret.isVisible());
        QTest::keyClicks(&secret, "s3cret");
        QTest::keyClick(&secret, Qt::Key_Return);
        QCOMPARE(m_engine->sshAnswers.size(), size_t{1});
        QCOMPARE(answered().session, m_engine->session);
        QCOMPARE(answered().question, topology::SshQuestionId(1));
        QCOMPARE(answered().answer, topology::SshAnswer("s3cret"));
        QVERIFY(dialogs().isEmpty());
        QVERIFY(secret.text().isEmpty());
    }

    void yesAndNoAreSshsWords_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<topology::SshAnswer>("answer");
        QTest::newRow("yes") << "sshYes" << topology::SshAnswer("yes");
        QTest::newRow("no") << "sshNo" << topology::SshAnswer("no");
        QTest::newRow("cancel") << "sshCancel" << topology::SshAnswer();
    }
    void yesAndNoAreSshsWords() {
        QFETCH(QString, button);
        m_engine->report(question(SshQuestion::Kind::YesNo, "Are you sure (yes/no)? "));
        QVERIFY(!find<QLineEdit>("sshSecret").isVisible());
        find<QPushButton>(button).click();
        QCOMPARE(m_engine->sshAnswers.size(), size_t{1});
        QTEST(answered().answer, "answer");
        QVERIFY(dialogs().isEmpty());
    }

    void aKeyInHasteTrustsNobody() {
        m_engine->report(question(SshQuestion::Kind::YesNo, "Are you sure (yes/no)? "));
        QTest::keyClick(dialogs().first(), Qt::Key_Return);
        QCOMPARE(answered().answer, topology::SshAnswer("no"));
    }

    void escapeCancels() {
        m_engine->report(question(SshQuestion::Kind::Secret, "Password: "));
        QTest::keyClick(dialogs().first(), Qt::Key_Escape);
        QCOMPARE(m_engine->sshAnswers.size(), size_t{1});
        QVERIFY(!answered().answer);
    }

    void isInFrontOfTheDialogThatConnects() {
        QDialog connecting(m_window.get());
        connecting.open();
        m_engine->report(question(SshQuestion::Kind::Secret, "Password: "));
        QCOMPARE(dialogs().first()->parentWidget(), &connecting);
    }

    void aNoticeNeedsNoAnswer() {
        m_engine->report(question(SshQuestion::Kind::Notice, "Touch the key"));
        for (const char* button : {"sshSend", "sshYes"})
            QVERIFY(!top().findChild<QPushButton*>(button));
        m_engine->report(SshQuestionOver{topology::SshQuestionId(1)});
        QVERIFY(dialogs().isEmpty());
        QVERIFY(m_engine->sshAnswers.empty());
    }

    void sshsWordsAreNoMarkup() {
        m_engine->report(question(SshQuestion::Kind::YesNo, "<b>host</b> is\nunknown\x1b (yes/no)? "));
        const auto& words = find<QLabel>("sshWords");
        QCOMPARE(words.textFormat(), Qt::PlainText);
        QCOMPARE(words.text(), "<b>host</b> is\nunknown\\x1b (yes/no)?");
    }

    void eachQuestionHasItsDialog() {
        m_engine->report(question(SshQuestion::Kind::Secret, "one", 1));
        m_engine->report(question(SshQuestion::Kind::Secret, "two", 2));
        QCOMPARE(dialogs().size(), 2);
        m_engine->report(SshQuestionOver{topology::SshQuestionId(1)});
        QCOMPARE(dialogs().size(), 1);
        QCOMPARE(find<QLabel>("sshWords").text(), "two");
    }

    // ---- what is kept ----

    void onlyOfASavedConnectionAnAnswerIsKept() {
        m_engine->report(question(SshQuestion::Kind::Secret, "Password: "));
        QVERIFY(!find<QCheckBox>("sshKeep").isVisible());
        connectTo(saved);
        m_engine->report(question(SshQuestion::Kind::YesNo, "Are you sure (yes/no)? ", 2));
        for (const SshQuestionDialog* dialog : dialogs())
            QVERIFY(!dialog->findChild<QCheckBox*>(QStringLiteral("sshKeep"))->isVisible());
    }

    void aKeptAnswerIsGivenToTheSameQuestion() {
        connectTo(saved);
        m_engine->report(question(SshQuestion::Kind::Secret, "me@jump's password: "));
        QVERIFY(!find<QCheckBox>("sshKeep").isChecked());
        find<QCheckBox>("sshKeep").setChecked(true);
        find<QLineEdit>("sshSecret").setText("s3cret");
        find<QPushButton>("sshSend").click();
        connectTo(saved, ConnectionPhase::Connected);
        m_engine->report(question(SshQuestion::Kind::Secret, "me@jump's password: ", 2));
        QVERIFY(dialogs().isEmpty());
        QCOMPARE(m_engine->sshAnswers.size(), size_t{2});
        QCOMPARE(m_engine->sshAnswers.back().answer, topology::SshAnswer("s3cret"));
        m_engine->report(question(SshQuestion::Kind::Secret, "Pass phrase: ", 3));
        QCOMPARE(dialogs().size(), 1);
        QCOMPARE(m_engine->sshAnswers.size(), size_t{2});
    }

    void withoutBeingAskedToNothingIsKept() {
        connectTo(saved);
        m_engine->report(question(SshQuestion::Kind::Secret, "Code: "));
        find<QLineEdit>("sshSecret").setText("123456");
        find<QPushButton>("sshSend").click();
        QVERIFY(m_secrets->keptSshAnswers.isEmpty());
    }

    // ssh asks again when the answer was wrong.
    void aWrongAnswerIsForgotten() {
        m_secrets->keptSshAnswers.insert(saved, QByteArrayLiteral("Password: \0old"));
        connectTo(saved);
        m_engine->report(question(SshQuestion::Kind::Secret, "Password: ", 1));
        QCOMPARE(answered().answer, topology::SshAnswer("old"));
        m_engine->report(question(SshQuestion::Kind::Secret, "Password: ", 2));
        QCOMPARE(dialogs().size(), 1);
        QVERIFY(m_secrets->keptSshAnswers.isEmpty());
    }

    void aKeychainThatRefusesIsReported() {
        connectTo(saved);
        m_engine->report(question(SshQuestion::Kind::Secret, "Password: "));
        m_secrets->isThere = false;
        QSignalSpy failed(m_controller, &SshQuestionController::keychainFailed);
        find<QCheckBox>("sshKeep").setChecked(true);
        find<QPushButton>("sshSend").click();
        QCOMPARE(failed.size(), 1);
        QCOMPARE(m_engine->sshAnswers.size(), size_t{1});
    }

    void theEndOfTheSessionClosesItsDialogs() {
        m_engine->report(question(SshQuestion::Kind::Secret, "of the first", 1));
        const SessionId first = m_engine->session;
        (void)m_engine->open({}, {});
        m_engine->report(question(SshQuestion::Kind::Secret, "of the second", 1));
        m_engine->finishClosing(first);
        QCOMPARE(dialogs().size(), 1);
        QCOMPARE(find<QLabel>("sshWords").text(), "of the second");
        QVERIFY(m_engine->sshAnswers.empty());
    }
};

LOCKKEEPER_TEST(TestSshQuestionController, Gui)

}  // namespace tst_sshquestioncontroller

#include "tst_sshquestioncontroller.moc"
