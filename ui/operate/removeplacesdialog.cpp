// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/removeplacesdialog.h"

#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/wrappedtext.h"
#include "ui/connections/connectionbadge.h"
#include "ui/words/locktext.h"

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
    : ChangeDialog(QStringLiteral("places"), parent),
      m_client(client),
      m_aliases(aliases),
      m_first(places.size()),
      m_places(places),
      m_headline(plainLabel(this)),
      m_news(new InlineMessage(this)),
      m_list(new WrappedText(shownLines, this)),
      m_warning(new InlineMessage(this)) {
    m_headline->setObjectName(QStringLiteral("placesHeadline"));
    m_headline->setWordWrap(true);
    m_news->setObjectName(QStringLiteral("placesNews"));
    m_list->setObjectName(QStringLiteral("placesList"));
    makeLayout();
    connect(m_button, &QPushButton::clicked, this, &RemovePlacesDialog::request);
    keepTranslated(*this, [this] { retranslate(); });
    m_reason->setFocus();
}

void RemovePlacesDialog::makeLayout() {
    auto* form = new QFormLayout;
    addFields(*form);
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
    setContent(layout, {buttonBox()});
    setUsualWidth(dialogWidth);
    orderTabs({m_list});
}

void RemovePlacesDialog::retranslate() {
    setWindowTitle(tr("Remove places in queues"));
    m_list->setAccessibleName(tr("Places to be removed"));
    m_nameCaption->setText(tr("&Client:"));
    m_name->setAccessibleName(tr("Beginning of the client's id"));
    m_name->setPlaceholderText(tr("type %1: this is production").arg(proof().expected));
    retranslateFields();
    m_warning->setMessage(
        {Tone::Warning,
         tr("Nobody has been subscribed to the channels of these waiters for some time. Each place is a "
            "change of its own: it is compared, its waiter is proven dead again, and it has its own line in "
            "the audit. If the client lives all the same, its waiters queue again at the end.")});
    showMissing();
}

void RemovePlacesDialog::follow(const QList<DeadPlace>& places) {
    m_places.removeIf([&places](const DeadPlace& place) {
        return std::ranges::none_of(places, [&](const DeadPlace& now) { return isSamePlace(now, place); });
    });
    showMissing();
}

void RemovePlacesDialog::setRefusal(const QString& refusal) {
    m_refusal = refusal;
    showMissing();
}

NameProof RemovePlacesDialog::proof() const {
    return {QString::fromLatin1(m_client.bytes().left(proofLength))};
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

void RemovePlacesDialog::showMissing() {
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
    const QString missing = missingText();
    m_missing->setText(missing);
    m_button->setText(tr("Remove %Ln place(s)", nullptr, places));
    m_button->setEnabled(missing.isEmpty());
}

QString RemovePlacesDialog::missingText() const {
    if (m_places.isEmpty())
        return tr("No place is left to remove.");
    if (!m_refusal.isEmpty())
        return m_refusal;
    return missingInFields(proof(), tr("Type %1, because %2 is production.").arg(proof().expected, m_server));
}

// The head of a queue first: each removal wakes the next one of a free lock.
void RemovePlacesDialog::request() {
    QList<control::ForceReleaseRequest> requests;
    for (const DeadPlace& place : std::as_const(m_places)) {
        control::ForceReleaseRequest request;
        request.confirmed = place.lock;
        request.reason = trimmedReason();
        request.change.kind = control::ChangeKind::RemoveWaiter;
        request.change.waiter = place.waiter;
        requests += request;
    }
    Q_EMIT removalRequested(requests);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_removeplacesdialog.cpp"
