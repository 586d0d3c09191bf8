// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/sshquestiondialog.h"

#include "base/safetext.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

using QuestionKind = topology::SshQuestion::Kind;

constexpr int usualQuestionWidth = 28;  // heights of a line

QString linesOf(const QString& words) {
    QStringList lines;
    for (const QString& line : words.trimmed().split(QLatin1Char('\n')))
        lines << safeText(line);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

SshQuestionDialog::SshQuestionDialog(const topology::SshQuestion& question, QWidget* parent)
    : FittedDialog(parent),
      m_question(question),
      m_headline(plainLabel(this)),
      m_secret(new QLineEdit(this)),
      m_keep(new QCheckBox(this)),
      m_cancel(new QPushButton(this)) {
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_headline->setWordWrap(true);
    QLabel* words = plainLabel(linesOf(m_question.words), this);
    words->setObjectName(QStringLiteral("sshWords"));
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_secret->setObjectName(QStringLiteral("sshSecret"));
    m_secret->setEchoMode(QLineEdit::Password);
    m_secret->setVisible(m_question.kind == QuestionKind::Secret);
    m_keep->setObjectName(QStringLiteral("sshKeep"));
    m_keep->hide();
    auto* layout = new QVBoxLayout;
    layout->setSpacing(12);
    layout->addWidget(m_headline);
    layout->addWidget(words);
    layout->addWidget(m_secret);
    layout->addWidget(m_keep);
    setContent(layout, {makeButtons()});
    setUsualWidth(usualQuestionWidth);
    keepTranslated(*this, [this] { retranslate(); });
}

QWidget* SshQuestionDialog::makeButtons() {
    auto* buttons = new QDialogButtonBox(this);
    m_cancel->setObjectName(QStringLiteral("sshCancel"));
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    connect(m_cancel, &QPushButton::clicked, this, &SshQuestionDialog::reject);
    if (m_question.kind == QuestionKind::YesNo) {
        m_yes = new QPushButton(this);
        m_yes->setObjectName(QStringLiteral("sshYes"));
        m_no = new QPushButton(this);
        m_no->setObjectName(QStringLiteral("sshNo"));
        buttons->addButton(m_yes, QDialogButtonBox::YesRole);
        buttons->addButton(m_no, QDialogButtonBox::NoRole);
        connect(m_yes, &QPushButton::clicked, this, [this] { answer("yes"); });
        connect(m_no, &QPushButton::clicked, this, [this] { answer("no"); });
        // A key pressed in haste must not trust an unknown host.
        m_no->setDefault(true);
        m_no->setFocus();
    } else if (m_question.kind == QuestionKind::Secret) {
        m_send = new QPushButton(this);
        m_send->setObjectName(QStringLiteral("sshSend"));
        m_send->setDefault(true);
        buttons->addButton(m_send, QDialogButtonBox::AcceptRole);
        connect(m_send, &QPushButton::clicked, this, [this] { answer(m_secret->text().toUtf8()); });
        m_secret->setFocus();
    }
    return buttons;
}

void SshQuestionDialog::retranslate() {
    setWindowTitle(tr("Question of ssh"));
    m_headline->setText(m_question.kind == QuestionKind::Notice
                            ? tr("ssh waits for you, to connect through %1:").arg(m_question.jumpHost)
                            : tr("ssh asks, to connect through %1:").arg(m_question.jumpHost));
    m_secret->setAccessibleName(tr("Answer to ssh"));
    m_keep->setText(tr("&Keep the answer in the keychain, for this connection"));
    m_cancel->setText(tr("Cancel"));
    if (m_yes)
        m_yes->setText(tr("&Yes"));
    if (m_no)
        m_no->setText(tr("&No"));
    if (m_send)
        m_send->setText(tr("&Answer"));
}

void SshQuestionDialog::offerToKeep(bool offered) {
    m_keep->setVisible(offered && m_question.kind == QuestionKind::Secret);
}

void SshQuestionDialog::answer(const topology::SshAnswer& answer) {
    if (m_keep->isChecked() && answer)
        Q_EMIT keepWanted(*answer);
    m_secret->clear();
    Q_EMIT answered(answer);
    done(QDialog::Accepted);
}

// Called also for Escape, and for the window's close button.
void SshQuestionDialog::reject() {
    m_secret->clear();
    Q_EMIT answered(std::nullopt);
    FittedDialog::reject();
}

}  // namespace lockkeeper::ui

#include "moc_sshquestiondialog.cpp"
