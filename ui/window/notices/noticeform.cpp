// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/noticeform.h"

#include "monitor/analyse/notice/noticeruletext.h"
#include "ui/base/durationedit.h"
#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/words/causetext.h"
#include "ui/words/diagnosistext.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGroupBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr std::chrono::seconds usualHeld = 5min;
constexpr std::chrono::seconds usualTtl = 10s;
constexpr int kindRole = Qt::UserRole;

std::chrono::seconds secondsOf(const std::optional<Milliseconds>& limit, std::chrono::seconds usual) {
    return limit ? std::chrono::duration_cast<std::chrono::seconds>(*limit) : usual;
}

monitor::DiagnosisKind kindOf(const QListWidgetItem& item) {
    return static_cast<monitor::DiagnosisKind>(item.data(kindRole).toInt());
}

}  // namespace

NoticeForm::NoticeForm(const NoticeSettings& settings, QWidget* parent)
    : QWidget(parent),
      m_when(new QGroupBox(this)),
      m_how(new QGroupBox(this)),
      m_held(new QCheckBox(this)),
      m_heldTime(new DurationEdit(1s, secondsOf(settings.rules.heldLonger, usualHeld), this)),
      m_ttl(new QCheckBox(this)),
      m_ttlTime(new DurationEdit(1s, secondsOf(settings.rules.ttlUnder, usualTtl), this)),
      m_diagnosesLabel(plainLabel(this)),
      m_diagnoses(new QListWidget(this)),
      m_namesLabel(plainLabel(this)),
      m_names(new QLineEdit(this)),
      m_desktop(new QCheckBox(this)),
      m_desktopState(plainLabel(this)),
      m_sound(new QCheckBox(this)),
      m_test(new QPushButton(this)),
      m_copy(new QPushButton(this)),
      m_summary(plainLabel(this)) {
    setObjectName(QStringLiteral("noticeForm"));
    makeRules();
    makeDiagnoses();
    makeWays();
    makeLayout();
    fill(settings);
    followFields();
    keepTranslated(*this, [this] { retranslate(); });
    m_diagnoses->setMinimumHeight(m_diagnoses->sizeHintForRow(0) * static_cast<int>(m_diagnoses->count()) + 6);
}

void NoticeForm::followFields() {
    for (QCheckBox* box : {m_held, m_ttl, m_desktop, m_sound}) {
        connect(box, &QCheckBox::toggled, this, &NoticeForm::showState);
        connect(box, &QCheckBox::toggled, this, &NoticeForm::changed);
    }
    connect(m_diagnoses, &QListWidget::itemChanged, this, &NoticeForm::showState);
    connect(m_diagnoses, &QListWidget::itemChanged, this, &NoticeForm::changed);
    for (const DurationEdit* edit : {m_heldTime, m_ttlTime})
        connect(edit, &DurationEdit::finished, this, &NoticeForm::changed);
    connect(m_names, &QLineEdit::editingFinished, this, &NoticeForm::changed);
    connect(m_copy, &QPushButton::clicked, this, &NoticeForm::copyForNotify);
    connect(m_test, &QPushButton::clicked, this, [this] { Q_EMIT testWanted(chosen()); });
}

void NoticeForm::retranslate() {
    m_when->setTitle(tr("Notify me when"));
    m_held->setText(tr("A lock is &held longer than"));
    m_heldTime->setWhat(tr("Held longer than"));
    m_ttl->setText(tr("A lock's &TTL falls under"));
    m_ttlTime->setWhat(tr("TTL under"));
    m_ttl->setToolTip(helpTip(tr("Only if the TTL of the hold was longer before: a short lease is no warning")));
    m_diagnosesLabel->setText(tr("One of these dia&gnoses begins:"));
    m_diagnoses->setAccessibleName(tr("Diagnoses that cause a notification"));
    for (int row = 0; row < m_diagnoses->count(); ++row) {
        QListWidgetItem& item = *m_diagnoses->item(row);
        item.setText(diagnosisTitle(kindOf(item)));
        item.setToolTip(helpTip(adviceText(kindOf(item))));
    }
    m_namesLabel->setText(tr("Only these &locks:"));
    m_names->setAccessibleName(tr("Only locks whose names match one of these patterns"));
    m_names->setPlaceholderText(tr("all locks; or patterns: orders/* job:?"));
    m_names->setToolTip(
        helpTip(tr("* ? [abc] as in SCAN, several with blanks between; for a blank in a name write ?")));
    m_how->setTitle(tr("How"));
    m_desktop->setText(tr("On the &desktop"));
    m_sound->setText(tr("With a &sound"));
    m_test->setText(tr("T&ry it"));
    m_copy->setText(tr("&Copy for lockkeeper notify"));
    m_copy->setToolTip(
        helpTip(tr("Copies these rules as a file of options: lockkeeper notify sends what they notice to a chat or a "
                   "webhook, without a window")));
    showDesktopState();
    showState();
}

QString NoticeForm::summary() const {
    return tr(
        "Each cause gives one notification, while connected. They come at least ten seconds apart; what happens "
        "in between is put into the next one.");
}

void NoticeForm::makeRules() {
    m_held->setObjectName(QStringLiteral("noticeHeld"));
    m_heldTime->setObjectName(QStringLiteral("noticeHeldTime"));
    m_ttl->setObjectName(QStringLiteral("noticeTtl"));
    m_ttlTime->setObjectName(QStringLiteral("noticeTtlTime"));
    m_names->setObjectName(QStringLiteral("noticeNames"));
}

void NoticeForm::makeDiagnoses() {
    m_diagnoses->setObjectName(QStringLiteral("noticeDiagnoses"));
    for (const monitor::DiagnosisKind kind : monitor::noticeableDiagnoses()) {
        auto* item = new QListWidgetItem(m_diagnoses);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Unchecked);
        item->setData(kindRole, static_cast<int>(kind));
    }
}

void NoticeForm::makeWays() {
    m_desktop->setObjectName(QStringLiteral("noticeDesktop"));
    m_desktopState->setObjectName(QStringLiteral("noticeDesktopState"));
    m_desktopState->setWordWrap(true);
    m_sound->setObjectName(QStringLiteral("noticeSound"));
    m_test->setObjectName(QStringLiteral("noticeTest"));
    m_test->setAutoDefault(false);
    m_copy->setObjectName(QStringLiteral("noticeCopy"));
    m_copy->setAutoDefault(false);
    m_summary->setObjectName(QStringLiteral("noticeSummary"));
    m_summary->setWordWrap(true);
}

void NoticeForm::makeLayout() {
    auto* rules = new QGridLayout;
    rules->addWidget(m_held, 0, 0);
    rules->addWidget(m_heldTime, 0, 1);
    rules->addWidget(m_ttl, 1, 0);
    rules->addWidget(m_ttlTime, 1, 1);
    rules->setColumnStretch(2, 1);
    auto* names = new QHBoxLayout;
    m_namesLabel->setBuddy(m_names);
    names->addWidget(m_namesLabel);
    names->addWidget(m_names, 1);
    m_diagnosesLabel->setBuddy(m_diagnoses);
    auto* whenLayout = new QVBoxLayout(m_when);
    whenLayout->addLayout(rules);
    whenLayout->addWidget(m_diagnosesLabel);
    whenLayout->addWidget(m_diagnoses, 1);
    whenLayout->addLayout(names);
    auto* ways = new QGridLayout(m_how);
    ways->addWidget(m_desktop, 0, 0);
    ways->addWidget(m_sound, 0, 1);
    ways->addWidget(m_test, 0, 3);
    ways->addWidget(m_desktopState, 1, 0, 1, 4);
    ways->addWidget(m_copy, 2, 0, 1, 4, Qt::AlignLeft);
    ways->setColumnStretch(2, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_when, 1);
    layout->addWidget(m_how);
    layout->addWidget(m_summary);
}

void NoticeForm::setDesktopProblem(const std::optional<Error>& problem) {
    m_desktopAnswered = true;
    m_desktopProblem = problem;
    showDesktopState();
}

void NoticeForm::showDesktopState() {
    if (!m_desktopAnswered)
        m_desktopState->setText(tr("Asking the desktop …"));
    else if (!m_desktopProblem)
        m_desktopState->setText(tr("This desktop shows notifications."));
    else
        m_desktopState->setText(
            tr("No notification service answers here (%1); the window shows its own messages instead.")
                .arg(reasonText(*m_desktopProblem)));
}

void NoticeForm::showState() {
    m_heldTime->setEnabled(m_held->isChecked());
    m_ttlTime->setEnabled(m_ttl->isChecked());
    m_test->setEnabled(m_desktop->isChecked() || m_sound->isChecked());
    m_copy->setEnabled(chosen().rules.wantAnything());
    m_summary->setText(chosen().rules.wantAnything() ? summary()
                                                     : tr("Nothing is chosen, so there are no notifications."));
}

// What is not in the rules stands in comments.
void NoticeForm::copyForNotify() const {
    const QStringList lines{
        QStringLiteral("# ") + tr("The rules of the window. A server and a receiver belong here, too:"),
        QStringLiteral("# url = redis://host:6379/0"), QStringLiteral("# webhook-file = /etc/lockkeeper/webhook"),
        QStringLiteral("rule = ") + monitor::ruleText(chosen().rules), QString()};
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

void NoticeForm::setSettings(const NoticeSettings& settings) {
    fill(settings);
    Q_EMIT changed();
}

void NoticeForm::fill(const NoticeSettings& settings) {
    const QSignalBlocker blocked(this);
    m_held->setChecked(settings.rules.heldLonger.has_value());
    m_heldTime->setDuration(secondsOf(settings.rules.heldLonger, usualHeld));
    m_ttl->setChecked(settings.rules.ttlUnder.has_value());
    m_ttlTime->setDuration(secondsOf(settings.rules.ttlUnder, usualTtl));
    for (int row = 0; row < m_diagnoses->count(); ++row) {
        QListWidgetItem& item = *m_diagnoses->item(row);
        item.setCheckState(settings.rules.diagnoses.contains(kindOf(item)) ? Qt::Checked : Qt::Unchecked);
    }
    m_names->setText(patternsText(settings.rules.names));
    m_desktop->setChecked(settings.onDesktop);
    m_sound->setChecked(settings.withSound);
}

NoticeSettings NoticeForm::chosen() const {
    NoticeSettings settings;
    if (m_held->isChecked())
        settings.rules.heldLonger = m_heldTime->duration();
    if (m_ttl->isChecked())
        settings.rules.ttlUnder = m_ttlTime->duration();
    for (int row = 0; row < m_diagnoses->count(); ++row) {
        if (m_diagnoses->item(row)->checkState() == Qt::Checked)
            settings.rules.diagnoses << kindOf(*m_diagnoses->item(row));
    }
    settings.rules.names = patternsFrom(m_names->text());
    settings.onDesktop = m_desktop->isChecked();
    settings.withSound = m_sound->isChecked();
    return settings;
}

}  // namespace lockkeeper::ui

#include "moc_noticeform.cpp"
