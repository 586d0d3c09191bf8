#include "ui/dialogs/exitdialog.h"

#include "ui/look/plainlabel.h"
#include "ui/words/locktext.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype listedAtMost = 8;

QString lockLine(const control::OwnLock& lock) {
    const QString ending =
        lock.renewed ? ExitDialog::tr("renewed by the watchdog until now") : ExitDialog::tr("fixed lease");
    return ExitDialog::tr("• %1 (count %2, %3)").arg(plainName(lock.name, 60), numberText(lock.count), ending);
}

QString listText(const QList<control::OwnLock>& locks) {
    QStringList lines;
    for (const control::OwnLock& lock : locks.first(std::min(locks.size(), listedAtMost)))
        lines << lockLine(lock);
    if (locks.size() > listedAtMost)
        lines << ExitDialog::tr("and %1 more").arg(numberText(locks.size() - listedAtMost));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

ExitDialog::ExitDialog(QWidget* parent)
    : QDialog(parent),
      m_headline(plainLabel(this)),
      m_locks(plainLabel(this)),
      m_note(plainLabel(this)),
      m_release(new QPushButton(tr("&Release and quit"), this)) {
    setWindowTitle(tr("Quit Lockkeeper"));
    m_headline->setObjectName(QStringLiteral("exitHeadline"));
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_locks->setObjectName(QStringLiteral("exitLocks"));
    m_note->setObjectName(QStringLiteral("exitNote"));
    m_note->setWordWrap(true);
    m_note->setMinimumWidth(460);
    m_release->setObjectName(QStringLiteral("exitRelease"));
    auto* keep = new QPushButton(tr("&Keep until their lease ends and quit"), this);
    keep->setObjectName(QStringLiteral("exitKeep"));
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_release, QDialogButtonBox::AcceptRole);
    buttons->addButton(keep, QDialogButtonBox::DestructiveRole);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("exitCancel"));
    cancel->setDefault(true);
    connect(m_release, &QPushButton::clicked, this, [this] { choose(control::OwnLocksAtExit::Release); });
    connect(keep, &QPushButton::clicked, this, [this] { choose(control::OwnLocksAtExit::LeaveToLease); });
    connect(cancel, &QPushButton::clicked, this, &ExitDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    for (QLabel* label : {m_headline, m_locks, m_note})
        layout->addWidget(label);
    layout->addWidget(buttons);
    cancel->setFocus();
}

void ExitDialog::setLocks(const QList<control::OwnLock>& locks, Connection connection) {
    if (locks.isEmpty())
        m_headline->setText(tr("This console holds no lock any more."));
    else
        m_headline->setText(locks.size() == 1 ? tr("This console holds a lock:")
                                              : tr("This console holds %1 locks:").arg(numberText(locks.size())));
    m_locks->setText(listText(locks));
    m_locks->setVisible(!locks.isEmpty());
    const bool live = connection == Connection::Live;
    m_release->setEnabled(live);
    m_note->setText(
        live ? tr("Kept locks are not renewed any more: each ends with its lease, and keeps others out until then.")
             : tr("Not connected, so nothing can be released now. The locks are not renewed any more and end with "
                  "their leases."));
}

void ExitDialog::choose(control::OwnLocksAtExit choice) {
    Q_EMIT chosen(choice);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_exitdialog.cpp"
