// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/removeplacesdialog.h"

#include "ui/base/accesskeys.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/wrappedtext.h"
#include "ui/connections/connectionbadge.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int dialogWidth = 36;  // heights of a line
constexpr int shownLines = 10;
constexpr qsizetype proofLength = 8;

bool isSamePlace(const DeadPlace& one, const DeadPlace& other) {
    return one.lock.name == other.lock.name && one.waiter == other.waiter;
}

}  // namespace

QList<DeadPlace> deadPlacesOf(const ClientId& client, const monitor::LockRow& row) {
    QList<DeadPlace> places;
    for (const monitor::FairWaiter& waiter : row.deadWaiters()) {
        if (waiter.id.client() == client)
            places += DeadPlace{row.lock, waiter};
    }
    return places;
}

RemovePlacesDialog::RemovePlacesDialog(const ClientId& client, const QList<DeadPlace>& places,
                                       const HolderAliases& aliases, QWidget* parent)
    : FittedDialog(parent),
      m_client(client),
      m_aliases(aliases),
      m_first(places.size()),
      m_places(places),
      m_connection(new ConnectionBadge(this)),
      m_headline(plainLabel(this)),
      m_news(new InlineMessage(this)),
      m_list(new WrappedText(shownLines, this)),
      m_proofCaption(plainLabel(this)),
      m_proof(new QLineEdit(this)),
      m_reasonCaption(plainLabel(this)),
      m_reason(new QLineEdit(this)),
      m_missing(plainLabel(this)),
      m_warning(new InlineMessage(this)),
      m_remove(new QPushButton(this)),
      m_cancel(new QPushButton(this)) {
    m_headline->setObjectName(QStringLiteral("placesHeadline"));
    m_headline->setWordWrap(true);
    m_news->setObjectName(QStringLiteral("placesNews"));
    m_list->setObjectName(QStringLiteral("placesList"));
    m_proof->setObjectName(QStringLiteral("placesProof"));
    m_reason->setObjectName(QStringLiteral("placesReason"));
    m_missing->setObjectName(QStringLiteral("placesMissing"));
    m_missing->setWordWrap(true);
    m_missing->setForegroundRole(QPalette::PlaceholderText);
    m_remove->setObjectName(QStringLiteral("placesRemove"));
    m_remove->setAutoDefault(false);
    m_cancel->setObjectName(QStringLiteral("placesCancel"));
    m_cancel->setDefault(true);
    guard(*m_remove);
    for (QLineEdit* field : {m_proof, m_reason}) {
        ignoreAccessKeys(*field);
        connect(field, &QLineEdit::textChanged, this, &RemovePlacesDialog::update);
    }
    makeLayout();
    connect(m_remove, &QPushButton::clicked, this, &RemovePlacesDialog::request);
    connect(m_cancel, &QPushButton::clicked, this, &RemovePlacesDialog::reject);
    keepTranslated(*this, [this] { retranslate(); });
    m_reason->setFocus();
}

void RemovePlacesDialog::makeLayout() {
    auto* form = new QFormLayout;
    form->addRow(m_proofCaption, m_proof);
    m_proofCaption->setBuddy(m_proof);
    form->addRow(m_reasonCaption, m_reason);
    m_reasonCaption->setBuddy(m_reason);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_remove, QDialogButtonBox::DestructiveRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(10);
    layout->addWidget(m_connection);
    layout->addWidget(m_headline);
    layout->addWidget(m_news);
    layout->addWidget(m_list);
    layout->addLayout(form);
    layout->addWidget(m_missing);
    layout->addWidget(m_warning);
    layout->addStretch(0);
    setContent(layout, {buttons});
    setUsualWidth(dialogWidth);
}

void RemovePlacesDialog::retranslate() {
    setWindowTitle(tr("Remove places in queues"));
    m_list->setAccessibleName(tr("Places to be removed"));
    m_proofCaption->setText(tr("&Client:"));
    m_proof->setAccessibleName(tr("Beginning of the client's id"));
    m_proof->setPlaceholderText(tr("type %1: this is production").arg(proof()));
    m_reasonCaption->setText(tr("&Reason:"));
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setPlaceholderText(tr("required, for example: worker-7 crashed, ticket 1234"));
    m_warning->setMessage(
        {Tone::Warning,
         tr("Nobody has been subscribed to the channels of these waiters for some time. Each place is a "
            "change of its own: it is compared, its waiter is proven dead again, and it has its own line in "
            "the audit. If the client lives all the same, its waiters queue again at the end.")});
    m_cancel->setText(tr("Cancel"));
    update();
}

void RemovePlacesDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
    m_isProduction = label.environment == profile::Environment::Production;
    m_server = connectionText(label, server);
    update();
    if (m_isProduction)
        m_proof->setFocus();
}

void RemovePlacesDialog::follow(const QList<DeadPlace>& places) {
    m_places.removeIf([&places](const DeadPlace& place) {
        return std::ranges::none_of(places, [&](const DeadPlace& now) { return isSamePlace(now, place); });
    });
    update();
}

void RemovePlacesDialog::setRefusal(const QString& refusal) {
    m_refusal = refusal;
    update();
}

QString RemovePlacesDialog::proof() const {
    return QString::fromLatin1(m_client.bytes().left(proofLength));
}

QString RemovePlacesDialog::placesText() const {
    QStringList lines;
    for (const DeadPlace& place : m_places) {
        const auto queued = std::ranges::find(place.lock.fairQueue, place.waiter.id, &monitor::FairWaiter::id);
        const QString number = numberText(queued - place.lock.fairQueue.begin() + 1);
        const QString thread = QString::number(static_cast<qint64>(place.waiter.id.thread()));
        lines << tr("%1: place %2 of %3, thread %4")
                     .arg(plainName(place.lock.name), number, numberText(queueLength(place.lock)), thread);
    }
    return lines.join(QLatin1Char('\n'));
}

void RemovePlacesDialog::update() {
    const int places = static_cast<int>(m_places.size());
    m_headline->setText(tr("Remove %Ln place(s) of %1, a client that seems to be gone?", nullptr, places)
                            .arg(m_aliases.fullDisplay(m_client)));
    m_list->setText(placesText());
    const int gone = static_cast<int>(m_first) - places;
    m_news->setMessage(gone == 0
                           ? Message()
                           : Message{Tone::Info, tr("%Ln place(s) have gone since, or are not proven dead any more; "
                                                    "they are left out.",
                                                    nullptr, gone)});
    m_proofCaption->setVisible(m_isProduction);
    m_proof->setVisible(m_isProduction);
    const QString missing = missingText();
    m_missing->setText(missing);
    m_remove->setText(tr("Remove %Ln place(s)", nullptr, places));
    m_remove->setEnabled(missing.isEmpty());
}

QString RemovePlacesDialog::missingText() const {
    if (m_places.isEmpty())
        return tr("No place is left to remove.");
    if (!m_refusal.isEmpty())
        return m_refusal;
    if (m_isProduction && m_proof->text() != proof())
        return tr("Type %1, because %2 is production.").arg(proof(), m_server);
    return m_reason->text().trimmed().isEmpty() ? tr("A reason is needed.") : QString();
}

// The head of a queue first: each removal wakes the next one of a free lock.
void RemovePlacesDialog::request() {
    const QList<DeadPlace> places = m_places;  // each request updates this dialog
    for (const DeadPlace& place : places) {
        control::ForceReleaseRequest request;
        request.confirmed = place.lock;
        request.reason = m_reason->text().trimmed();
        request.change.kind = control::ChangeKind::RemoveWaiter;
        request.change.waiter = place.waiter;
        Q_EMIT removalRequested(request);
    }
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_removeplacesdialog.cpp"
