#include "ui/notice/noticedialog.h"

#include "ui/dialogs/durationedit.h"
#include "ui/help/helptip.h"
#include "ui/look/plainlabel.h"
#include "ui/words/diagnosistext.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
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

}  // namespace

NoticeDialog::NoticeDialog(const NoticeSettings& settings, QWidget* parent)
    : QDialog(parent),
      m_held(new QCheckBox(tr("A lock is &held longer than"), this)),
      m_heldTime(new DurationEdit(1s, secondsOf(settings.rules.heldLonger, usualHeld), tr("Held longer than"), this)),
      m_ttl(new QCheckBox(tr("A lock's &TTL falls under"), this)),
      m_ttlTime(new DurationEdit(1s, secondsOf(settings.rules.ttlUnder, usualTtl), tr("TTL under"), this)),
      m_diagnoses(new QListWidget(this)),
      m_names(new QLineEdit(this)),
      m_desktop(new QCheckBox(tr("On the &desktop"), this)),
      m_desktopState(plainLabel(tr("Asking the desktop …"), this)),
      m_sound(new QCheckBox(tr("With a &sound"), this)),
      m_test(new QPushButton(tr("T&ry it"), this)),
      m_summary(plainLabel(this)) {
    setWindowTitle(tr("Notifications"));
    makeRules(settings);
    makeDiagnoses(settings);
    makeWays(settings);
    makeLayout();
    for (QCheckBox* box : {m_held, m_ttl, m_desktop, m_sound})
        connect(box, &QCheckBox::toggled, this, &NoticeDialog::showState);
    connect(m_diagnoses, &QListWidget::itemChanged, this, &NoticeDialog::showState);
    connect(m_test, &QPushButton::clicked, this, [this] { Q_EMIT testWanted(chosen()); });
    showState();
}

void NoticeDialog::makeRules(const NoticeSettings& settings) {
    m_held->setObjectName(QStringLiteral("noticeHeld"));
    m_held->setChecked(settings.rules.heldLonger.has_value());
    m_heldTime->setObjectName(QStringLiteral("noticeHeldTime"));
    m_ttl->setObjectName(QStringLiteral("noticeTtl"));
    m_ttl->setChecked(settings.rules.ttlUnder.has_value());
    m_ttl->setToolTip(helpTip(tr("Only of holds whose TTL was seen above that: a short lease says nothing")));
    m_ttlTime->setObjectName(QStringLiteral("noticeTtlTime"));
    m_names->setObjectName(QStringLiteral("noticeNames"));
    m_names->setAccessibleName(tr("Only locks whose names match one of these patterns"));
    m_names->setPlaceholderText(tr("all locks; or patterns: orders/* job:?"));
    m_names->setToolTip(
        helpTip(tr("* ? [abc] as in SCAN, several with blanks between; for a blank in a name write ?")));
    m_names->setText(patternsText(settings.rules.names));
}

void NoticeDialog::makeDiagnoses(const NoticeSettings& settings) {
    m_diagnoses->setObjectName(QStringLiteral("noticeDiagnoses"));
    m_diagnoses->setAccessibleName(tr("Diagnoses to be told of"));
    for (const monitor::DiagnosisKind kind : noticeableDiagnoses()) {
        auto* item = new QListWidgetItem(diagnosisTitle(kind), m_diagnoses);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(settings.rules.diagnoses.contains(kind) ? Qt::Checked : Qt::Unchecked);
        item->setData(kindRole, static_cast<int>(kind));
        item->setToolTip(helpTip(adviceText(kind)));
    }
    m_diagnoses->setMinimumHeight(m_diagnoses->sizeHintForRow(0) * static_cast<int>(m_diagnoses->count()) + 6);
}

void NoticeDialog::makeWays(const NoticeSettings& settings) {
    m_desktop->setObjectName(QStringLiteral("noticeDesktop"));
    m_desktop->setChecked(settings.onDesktop);
    m_desktopState->setObjectName(QStringLiteral("noticeDesktopState"));
    m_desktopState->setWordWrap(true);
    m_sound->setObjectName(QStringLiteral("noticeSound"));
    m_sound->setChecked(settings.withSound);
    m_test->setObjectName(QStringLiteral("noticeTest"));
    m_test->setAutoDefault(false);
    m_summary->setObjectName(QStringLiteral("noticeSummary"));
    m_summary->setWordWrap(true);
}

void NoticeDialog::makeLayout() {
    auto* when = new QGroupBox(tr("Tell me when"), this);
    auto* rules = new QGridLayout;
    rules->addWidget(m_held, 0, 0);
    rules->addWidget(m_heldTime, 0, 1);
    rules->addWidget(m_ttl, 1, 0);
    rules->addWidget(m_ttlTime, 1, 1);
    rules->setColumnStretch(2, 1);
    auto* names = new QHBoxLayout;
    QLabel* namesLabel = plainLabel(tr("Only these &locks:"), when);
    namesLabel->setBuddy(m_names);
    names->addWidget(namesLabel);
    names->addWidget(m_names, 1);
    QLabel* diagnosesLabel = plainLabel(tr("One of these dia&gnoses begins:"), when);
    diagnosesLabel->setBuddy(m_diagnoses);
    auto* whenLayout = new QVBoxLayout(when);
    whenLayout->addLayout(rules);
    whenLayout->addWidget(diagnosesLabel);
    whenLayout->addWidget(m_diagnoses, 1);
    whenLayout->addLayout(names);
    auto* how = new QGroupBox(tr("How"), this);
    auto* ways = new QGridLayout(how);
    ways->addWidget(m_desktop, 0, 0);
    ways->addWidget(m_sound, 0, 1);
    ways->addWidget(m_test, 0, 3);
    ways->addWidget(m_desktopState, 1, 0, 1, 4);
    ways->setColumnStretch(2, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT settingsChosen(chosen());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &NoticeDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addWidget(when, 1);
    layout->addWidget(how);
    layout->addWidget(m_summary);
    layout->addWidget(buttons);
    m_summary->setMinimumWidth(m_summary->fontMetrics().averageCharWidth() * 84);
}

void NoticeDialog::setDesktopProblem(const QString& problem) {
    m_desktopState->setText(problem.isEmpty()
                                ? tr("This desktop shows notifications.")
                                : tr("No notification service answers here (%1); the window's own messages show them "
                                     "instead.")
                                      .arg(problem));
}

void NoticeDialog::showState() {
    m_heldTime->setEnabled(m_held->isChecked());
    m_ttlTime->setEnabled(m_ttl->isChecked());
    m_test->setEnabled(m_desktop->isChecked() || m_sound->isChecked());
    m_summary->setText(chosen().rules.wantAnything()
                           ? tr("Each once, from its beginning until it has ended, while connected; ten seconds lie "
                                "between two notifications, and what comes meanwhile is told of together.")
                           : tr("Nothing is chosen: nobody is told of anything."));
}

NoticeSettings NoticeDialog::chosen() const {
    NoticeSettings settings;
    if (m_held->isChecked())
        settings.rules.heldLonger = m_heldTime->duration();
    if (m_ttl->isChecked())
        settings.rules.ttlUnder = m_ttlTime->duration();
    for (int row = 0; row < m_diagnoses->count(); ++row) {
        if (m_diagnoses->item(row)->checkState() == Qt::Checked)
            settings.rules.diagnoses << static_cast<monitor::DiagnosisKind>(
                m_diagnoses->item(row)->data(kindRole).toInt());
    }
    settings.rules.names = patternsFrom(m_names->text());
    settings.onDesktop = m_desktop->isChecked();
    settings.withSound = m_sound->isChecked();
    return settings;
}

}  // namespace lockkeeper::ui

#include "moc_noticedialog.cpp"
