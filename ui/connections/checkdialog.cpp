// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/checkdialog.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectionbadge.h"
#include "ui/words/causetext.h"
#include "ui/words/checktext.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstCheckSize(760, 520);

}  // namespace

CheckDialog::CheckDialog(QWidget* parent)
    : FittedDialog(parent),
      m_connection(new ConnectionBadge(this)),
      m_note(plainLabel(this)),
      m_result(new QPlainTextEdit(this)),
      m_again(new QPushButton(this)),
      m_copy(new QPushButton(this)) {
    m_result->setObjectName(QStringLiteral("checkResult"));
    m_again->setObjectName(QStringLiteral("checkAgain"));
    m_copy->setObjectName(QStringLiteral("checkCopy"));
    m_note->setWordWrap(true);
    m_result->setReadOnly(true);
    m_result->setTabChangesFocus(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &CheckDialog::reject);
    connect(m_again, &QPushButton::clicked, this, &CheckDialog::start);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_result->toPlainText()); });
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_connection);
    layout->addWidget(m_note);
    layout->addWidget(m_result, 1);
    layout->addWidget(buttons);
    resize(firstCheckSize.boundedTo(parent ? parent->size() : firstCheckSize));
    keepTranslated(*this, [this] { retranslate(); });
}

void CheckDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
}

void CheckDialog::start() {
    if (std::exchange(m_isUnderWay, true))
        return;
    retranslate();
    Q_EMIT checkWanted();
}

void CheckDialog::setCheck(const ServerChecked& checked) {
    m_isUnderWay = false;
    m_checked = checked;
    retranslate();
}

void CheckDialog::end() {
    if (m_isUnderWay)
        setCheck({nullptr, Error(ErrorCode::ConnectionLost, Cause::NotConnected)});
}

QString CheckDialog::resultText() const {
    if (m_isUnderWay)
        return tr("The servers are asked…");
    if (m_checked.check)
        return checkLines(*m_checked.check).join(u'\n');
    return m_checked.error ? tr("Not checked: %1").arg(errorClause(*m_checked.error)) : QString();
}

void CheckDialog::retranslate() {
    setWindowTitle(tr("Check of the server"));
    m_note->setText(
        tr("Only reads: it writes nothing, publishes nothing, and runs none of the commands that it asks about."));
    m_result->setAccessibleName(tr("What the servers do not have or refuse"));
    m_result->setPlainText(resultText());
    m_again->setText(tr("Check &again"));
    m_again->setEnabled(!m_isUnderWay);
    m_copy->setText(tr("C&opy"));
    m_copy->setEnabled(m_checked.check && !m_isUnderWay);
}

}  // namespace lockkeeper::ui

#include "moc_checkdialog.cpp"
