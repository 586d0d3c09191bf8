// SPDX-License-Identifier: Apache-2.0
#include "ui/window/exitdialog.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectionbadge.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype ownLocksAtMost = 8;
constexpr int noteWidth = 28;  // heights of a line

QString lockLine(const control::OwnLock& lock) {
    if (lock.isQuarantine)
        return ExitDialog::tr("• %1 (in quarantine)").arg(plainName(lock.name, 60));
    const QString line = lock.renewed ? ExitDialog::tr("• %1 (count %2, renewed by the watchdog until now)")
                                      : ExitDialog::tr("• %1 (count %2, fixed lease)");
    return line.arg(plainName(lock.name, 60), numberText(lock.count));
}

qsizetype countOf(const QList<ExitDialog::HeldAt>& held) {
    qsizetype count = 0;
    for (const ExitDialog::HeldAt& one : held)
        count += one.locks.size();
    return count;
}

// If there are several connections, each is named above its locks.
QString ownLocksText(const QList<ExitDialog::HeldAt>& held) {
    QStringList lines;
    qsizetype room = ownLocksAtMost;
    for (const ExitDialog::HeldAt& one : held) {
        if (held.size() > 1 && room > 0)
            lines << connectionText(one.label, one.server);
        for (const control::OwnLock& lock : one.locks.first(std::min(one.locks.size(), room)))
            lines << lockLine(lock);
        room -= std::min(one.locks.size(), room);
    }
    if (const qsizetype count = countOf(held); count > ownLocksAtMost)
        lines << ExitDialog::tr("and %Ln more", nullptr, static_cast<int>(count - ownLocksAtMost));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

ExitDialog::ExitDialog(Leaving leaving, QWidget* parent)
    : FittedDialog(parent),
      m_leaving(leaving),
      m_badge(new ConnectionBadge(this)),
      m_headline(plainLabel(this)),
      m_locks(plainLabel(this)),
      m_note(plainLabel(this)),
      m_release(new QPushButton(this)),
      m_keep(new QPushButton(this)) {
    m_headline->setObjectName(QStringLiteral("exitHeadline"));
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_locks->setObjectName(QStringLiteral("exitLocks"));
    m_note->setObjectName(QStringLiteral("exitNote"));
    m_note->setWordWrap(true);
    m_release->setObjectName(QStringLiteral("exitRelease"));
    m_keep->setObjectName(QStringLiteral("exitKeep"));
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_release, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_keep, QDialogButtonBox::DestructiveRole);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("exitCancel"));
    cancel->setDefault(true);
    connect(m_release, &QPushButton::clicked, this, [this] { choose(control::OwnLocksAtExit::Release); });
    connect(m_keep, &QPushButton::clicked, this, [this] { choose(control::OwnLocksAtExit::LeaveToLease); });
    connect(cancel, &QPushButton::clicked, this, &ExitDialog::reject);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(12);
    layout->addWidget(m_badge, 0, Qt::AlignLeft);
    for (QLabel* label : {m_headline, m_locks, m_note})
        layout->addWidget(label);
    setContent(layout, {buttons});
    setUsualWidth(noteWidth);
    cancel->setFocus();
    keepTranslated(*this, [this] { retranslate(); });
}

void ExitDialog::setLocks(const QList<HeldAt>& held, Connection connection) {
    m_held = held;
    m_connection = connection;
    m_badge->setVisible(m_held.size() == 1);
    if (m_held.size() == 1)
        m_badge->set(m_held.front().label, m_held.front().server);
    retranslate();
}

void ExitDialog::retranslate() {
    const bool quits = m_leaving == Leaving::Program;
    setWindowTitle(quits ? tr("Quit Lockkeeper") : tr("Close the connection"));
    m_release->setText(quits ? tr("&Release and quit") : tr("&Release and close"));
    m_keep->setText(quits ? tr("&Keep until they expire and quit") : tr("&Keep until they expire and close"));
    m_headline->setText(m_held.isEmpty()
                            ? tr("This console holds no lock any more.")
                            : tr("This console holds %Ln lock(s):", nullptr, static_cast<int>(countOf(m_held))));
    m_locks->setText(ownLocksText(m_held));
    m_locks->setVisible(!m_held.isEmpty());
    const bool live = m_connection == Connection::Live;
    m_release->setEnabled(live);
    m_note->setText(
        live ? tr("Kept locks are not renewed any more: each keeps other clients out until it expires.")
             : tr("Not connected, so nothing can be released now. The locks are not renewed any more and will "
                  "expire."));
}

void ExitDialog::choose(control::OwnLocksAtExit choice) {
    Q_EMIT chosen(choice);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_exitdialog.cpp"
