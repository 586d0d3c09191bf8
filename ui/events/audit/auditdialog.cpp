// SPDX-License-Identifier: Apache-2.0
#include "ui/events/audit/auditdialog.h"

#include "ui/base/icons.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"
#include "ui/events/audit/auditexport.h"
#include "ui/words/audittext.h"
#include "ui/words/causetext.h"
#include "ui/words/locktext.h"
#include "ui/words/utctext.h"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstAuditSize(980, 600);
constexpr int detailLines = 4;
using control::AuditOutcome;
constexpr std::array outcomes{AuditOutcome::Done,     AuditOutcome::OtherHolder, AuditOutcome::AlreadyFree,
                              AuditOutcome::NotSent,  AuditOutcome::Failed,      AuditOutcome::Unknown,
                              AuditOutcome::TakenBack};
constexpr std::array auditFormats{ExportFormat::Csv, ExportFormat::JsonLines};

// The model keeps the lines.
control::AuditReading withoutLines(const control::AuditReading& reading) {
    return {{}, reading.leftOut, reading.faults, reading.lineCount, reading.lastHash};
}

}  // namespace

AuditDialog::AuditDialog(QString folder, FileThread& thread, const Clock& clock, QWidget* parent)
    : FittedDialog(parent),
      m_folder(std::move(folder)),
      m_thread(thread),
      m_clock(clock),
      m_chain(new InlineMessage(this)),
      m_words(new QLineEdit(this)),
      m_outcome(new QComboBox(this)),
      m_span(new QComboBox(this)),
      m_count(plainLabel(this)),
      m_table(new QTableView(this)),
      m_detail(plainLabel(this)),
      m_written(new InlineMessage(this)),
      m_again(new QPushButton(this)),
      m_export(new QPushButton(this)) {
    m_chain->setObjectName(QStringLiteral("auditChain"));
    m_written->setObjectName(QStringLiteral("auditWritten"));
    m_again->setObjectName(QStringLiteral("auditAgain"));
    m_again->setShortcut(QKeySequence::Refresh);
    m_export->setObjectName(QStringLiteral("auditExport"));
    makeFilters();
    makeTable();
    makeLayout();
    resize(firstAuditSize.boundedTo(parent ? parent->size() : firstAuditSize));
    connect(m_again, &QPushButton::clicked, this, &AuditDialog::read);
    connect(m_export, &QPushButton::clicked, this, &AuditDialog::askForFile);
    keepTranslated(*this, [this] { retranslate(); });
    read();
}

void AuditDialog::makeFilters() {
    m_words->setObjectName(QStringLiteral("auditFilter"));
    m_words->setClearButtonEnabled(true);
    m_words->addAction(icon(QStringLiteral("search"), Tone::Quiet), QLineEdit::LeadingPosition);
    m_outcome->setObjectName(QStringLiteral("auditOutcome"));
    m_outcome->addItem(QString());
    for (const AuditOutcome outcome : outcomes)
        m_outcome->addItem(QString(), static_cast<int>(outcome));
    m_span->setObjectName(QStringLiteral("auditSpan"));
    for (const AuditSpan span : {AuditSpan::All, AuditSpan::Day, AuditSpan::Week, AuditSpan::Month})
        m_span->addItem(QString(), static_cast<int>(span));
    m_count->setObjectName(QStringLiteral("auditCount"));
    connect(m_words, &QLineEdit::textChanged, this, &AuditDialog::choose);
    for (const QComboBox* box : {m_outcome, m_span})
        connect(box, &QComboBox::currentIndexChanged, this, &AuditDialog::choose);
}

void AuditDialog::makeTable() {
    m_table->setObjectName(QStringLiteral("auditTable"));
    m_table->setModel(&m_model);
    showAsRows(*m_table);
    cutAtEnd(*m_table, {AuditModel::Action, AuditModel::Reason});
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    // widenColumn() alone sets the widths: the usual width is more than some columns need.
    m_table->horizontalHeader()->setDefaultSectionSize(m_table->horizontalHeader()->minimumSectionSize());
    m_detail->setObjectName(QStringLiteral("auditDetail"));
    m_detail->setWordWrap(true);
    m_detail->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_detail->setMinimumHeight(m_detail->fontMetrics().height() * detailLines);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AuditDialog::showDetail);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &AuditDialog::showDetail);
}

void AuditDialog::makeLayout() {
    auto* filters = new QHBoxLayout;
    filters->addWidget(m_words, 1);
    filters->addWidget(m_outcome);
    filters->addWidget(m_span);
    filters->addWidget(m_count);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    buttons->addButton(m_export, QDialogButtonBox::ActionRole);
    // Enter in the filter must not press any of these buttons.
    for (QPushButton* button : {m_again, m_export, buttons->button(QDialogButtonBox::Close)})
        button->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &AuditDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_chain);
    layout->addLayout(filters);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_detail);
    layout->addWidget(m_written);
    layout->addWidget(buttons);
}

void AuditDialog::retranslate() {
    setWindowTitle(tr("Audit"));
    nameFilters();
    m_table->setAccessibleName(tr("Actions of operators"));
    m_again->setText(tr("&Read again"));
    m_export->setText(tr("&Export what is shown…"));
    m_model.retranslate();
    widenColumn(*m_table, AuditModel::Time, QStringLiteral("2026-11-23 14:02:11.123Z"));
    widenColumn(*m_table, AuditModel::Operator, QStringLiteral("ann@bastion"));
    widenColumn(*m_table, AuditModel::Server, QStringLiteral("cache.example"));
    widenColumn(*m_table, AuditModel::Lock, QStringLiteral("orders:{customer-1}"));
    widenColumn(*m_table, AuditModel::Action, QStringLiteral("waking the waiters"));
    widenColumn(*m_table, AuditModel::Outcome, outcomeText(AuditOutcome::OtherHolder));
    showChain();
    showCount();
}

void AuditDialog::nameFilters() {
    m_words->setPlaceholderText(tr("Filter: lock, operator, connection, reason"));
    m_words->setAccessibleName(m_words->placeholderText());
    m_outcome->setAccessibleName(tr("Outcome"));
    m_outcome->setItemText(0, tr("Every outcome"));
    for (int i = 1; i < m_outcome->count(); ++i)
        m_outcome->setItemText(i, outcomeText(static_cast<AuditOutcome>(m_outcome->itemData(i).toInt())));
    m_span->setAccessibleName(tr("Time"));
    const QStringList spans{tr("Any time"), tr("The last 24 hours"), tr("The last 7 days"), tr("The last 31 days")};
    for (int i = 0; i < m_span->count(); ++i)
        m_span->setItemText(i, spans.at(i));
}

// The chosen action stays chosen, if the words still find it.
void AuditDialog::setAliases(const HolderAliases& aliases) {
    if (aliases == m_model.aliases())
        return;
    const QModelIndex current = m_table->currentIndex();
    const QString chosen = current.isValid() ? m_model.entryAt(current.row()).record.id : QString();
    m_model.setAliases(aliases);
    for (int row = 0; !chosen.isEmpty() && row < m_model.rowCount(); ++row) {
        if (m_model.entryAt(row).record.id == chosen)
            m_table->setCurrentIndex(m_model.index(row, current.column()));
    }
    showCount();
}

void AuditDialog::setWords(const QString& words) {
    m_words->setText(words);
}

// ---- reading ----

void AuditDialog::read() {
    m_again->setEnabled(false);
    m_reading.reset();
    showChain();
    control::AuditFilter filter;
    filter.atMost = mostLines;
    const auto read = [folder = m_folder, filter] { return control::readAudit(folder, filter); };
    onAnswer(m_thread.run<Result<control::AuditReading>>(read), this,
             [this](const Result<control::AuditReading>& reading) { take(reading); });
}

void AuditDialog::take(const Result<control::AuditReading>& reading) {
    m_again->setEnabled(true);
    m_reading = reading ? Result<control::AuditReading>(withoutLines(*reading)) : reading;
    if (reading)
        m_model.setEntries(auditEntries(reading->lines));
    showChain();
    choose();
}

void AuditDialog::showChain() {
    if (!m_reading)
        m_chain->setMessage({Tone::Info, tr("Reading the audit …")});
    else if (*m_reading)
        m_chain->setMessage({chainTone(**m_reading), chainText(**m_reading)});
    else
        m_chain->setMessage({Tone::Danger, tr("The audit could not be read: %1").arg(reasonText(m_reading->error()))});
}

// ---- what is shown ----

void AuditDialog::choose() {
    AuditChoice choice;
    choice.words = m_words->text();
    if (const QVariant outcome = m_outcome->currentData(); outcome.isValid())
        choice.outcome = static_cast<AuditOutcome>(outcome.toInt());
    choice.span = static_cast<AuditSpan>(m_span->currentData().toInt());
    m_model.choose(choice, m_clock.wallNow());
    showCount();
}

void AuditDialog::showCount() {
    const auto all = static_cast<int>(m_model.entryCount());
    const QString shown = numberText(m_model.rowCount());
    const bool isCut = m_reading && *m_reading && (*m_reading)->leftOut > 0;
    m_count->setText(isCut ? tr("%1 of the newest %Ln action(s)", nullptr, all).arg(shown)
                           : tr("%1 of %Ln action(s)", nullptr, all).arg(shown));
    m_export->setEnabled(m_model.rowCount() > 0);
}

void AuditDialog::showDetail() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) {
        m_detail->setText(tr("Choose an action to see who held the lock and why it was done."));
        return;
    }
    const AuditEntry& entry = m_model.entryAt(current.row());
    const control::AuditRecord& record = entry.record;
    const QString lock = shortened(plainName(record.lock), 120);
    QStringList lines{isLoss(entry)
                          ? tr("The console of %1 lost %2").arg(operatorText(record), lock)
                          : tr("%1: %2 of %3").arg(operatorText(record), actionText(record, m_model.aliases()), lock)};
    const std::optional<monitor::PermitLease>& permit = record.change.permit;
    if (permit && permit->ends)
        lines << tr("Before: its lease had ended at %1").arg(utcText(*permit->ends));
    else if (record.action == control::AuditAction::Change)
        lines << (record.state ? tr("Before: held by %1").arg(holdersText(*record.state, m_model.aliases()))
                               : tr("Before: could not be read"));
    if (!record.reason.isEmpty())
        lines << tr("Reason: %1").arg(shortened(record.reason, 300));
    if (!isLoss(entry))
        lines << (entry.outcome
                      ? tr("Outcome: %1").arg(outcomeText(outcomeOf(entry)))
                      : tr("Outcome: unknown. None was recorded: the program or the machine failed in between."));
    if (const QString error = entry.outcome ? entry.outcome->error : QString(); !error.isEmpty())
        lines << shortened(error, 300);
    m_detail->setText(lines.join(u'\n'));
}

// ---- export ----

void AuditDialog::askForFile() {
    if (m_file)
        return;
    m_file = new QFileDialog(this);
    m_file->setObjectName(QStringLiteral("auditFileDialog"));
    m_file->setAttribute(Qt::WA_DeleteOnClose);
    m_file->setAcceptMode(QFileDialog::AcceptSave);
    keepTranslated(*m_file, [file = m_file.data()] {
        QStringList filters;
        for (const ExportFormat format : auditFormats)
            filters << nameFilterOf(format);
        file->setWindowTitle(tr("Export the audit"));
        file->setNameFilters(filters);
    });
    m_file->setDefaultSuffix(suffixOf(auditFormats.front()));
    m_file->setDirectory(folderForFiles());
    m_file->selectFile(exportFileName(QStringLiteral("audit"), QString(), QString(), auditFormats.front()));
    connect(m_file, &QFileDialog::filterSelected, this, [this](const QString& filter) {
        const qsizetype place = m_file->nameFilters().indexOf(filter);
        m_file->setDefaultSuffix(suffixOf(auditFormats.at(place == 1 ? 1 : 0)));
    });
    connect(m_file, &QFileDialog::fileSelected, this,
            [this](const QString& path) { write(path, formatOfFile(path).value_or(auditFormats.front())); });
    m_file->open();
}

void AuditDialog::write(const QString& path, ExportFormat format) {
    const auto save = [path, format, entries = m_model.shown()] { return saveAudit(path, format, entries); };
    onAnswer(m_thread.run<Result<Done>>(save), this,
             [this, path](const Result<Done>& written) { report(path, written); });
}

void AuditDialog::report(const QString& path, const Result<Done>& written) {
    const QString shown = QDir::toNativeSeparators(path);
    if (written)
        m_written->setMessage({Tone::Good, tr("Audit written, to %1").arg(shown)});
    else
        m_written->setMessage(
            {Tone::Danger, tr("%1 could not be written, and nothing of it was: %2. Choose another folder, or "
                              "make room.")
                               .arg(shown, reasonText(written.error()))});
}

}  // namespace lockkeeper::ui

#include "moc_auditdialog.cpp"
