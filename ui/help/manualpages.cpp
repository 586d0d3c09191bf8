// SPDX-License-Identifier: Apache-2.0
#include "ui/help/manualpages.h"

#include <QFile>
#include <QTextBlock>
#include <QTextDocument>
#include <QWidget>

namespace lockkeeper::ui {

namespace {

const auto folder = QStringLiteral("qrc:/lockkeeper/manual/");

QString titleOf(const QString& file) {
    QFile page(QStringLiteral(":") + manualUrl(file).path());
    if (!page.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(page.readLine()).remove(QLatin1String("# ")).trimmed();
}

}  // namespace

QList<ManualPage> manualPages() {
    QList<ManualPage> pages;
    for (const char* name : {"index",
                             "first-steps",
                             "connecting",
                             "configurations",
                             "managed-services",
                             "finding-locks",
                             "window",
                             "diagnoses",
                             "incident",
                             "breaking-a-lock",
                             "audit",
                             "who-holds-it",
                             "threads",
                             "looking-up-an-error",
                             "errors-explained",
                             "history",
                             "recordings",
                             "monitor-traces",
                             "notifications",
                             "metrics",
                             "notify",
                             "services",
                             "semaphores",
                             "lab",
                             "command-line",
                             "json",
                             "costs",
                             "library",
                             "changes"}) {
        const QString file = QLatin1String(name) + QStringLiteral(".md");
        pages << ManualPage{file, titleOf(file)};
    }
    return pages;
}

QUrl manualUrl(const QString& place) {
    return QUrl(folder + place);
}

void readManualPage(const QString& file, QTextDocument& document) {
    QFile page(QStringLiteral(":") + manualUrl(file).path());
    if (page.open(QIODevice::ReadOnly))
        document.setMarkdown(QString::fromUtf8(page.readAll()));
}

QString anchorOf(const QString& heading) {
    QString anchor;
    for (const QChar character : heading.toLower()) {
        if (character.isLetterOrNumber() || character == QLatin1Char('-') || character == QLatin1Char('_'))
            anchor += character;
        else if (character.isSpace())
            anchor += QLatin1Char('-');
    }
    return anchor;
}

const QList<ManualTopic>& manualTopics() {
    static const QList<ManualTopic> topics = {
        {QStringLiteral("mainWindow"), QStringLiteral("window.md")},
        {QStringLiteral("lockTable"), QStringLiteral("window.md#the-table-of-locks")},
        {QStringLiteral("lockFilter"), QStringLiteral("window.md#filter-and-sort")},
        {QStringLiteral("showFreeLocks"), QStringLiteral("window.md#filter-and-sort")},
        {QStringLiteral("faultyLocksOnly"), QStringLiteral("window.md#filter-and-sort")},
        {QStringLiteral("emptyState"), QStringLiteral("finding-locks.md")},
        {QStringLiteral("detailPanel"), QStringLiteral("window.md#the-details-of-a-lock")},
        {QStringLiteral("diagnosisCards"), QStringLiteral("diagnoses.md")},
        {QStringLiteral("holderSection"), QStringLiteral("who-holds-it.md")},
        {QStringLiteral("eventLogPanel"), QStringLiteral("window.md#the-event-log")},
        {QStringLiteral("timelinePanel"), QStringLiteral("history.md#the-timeline")},
        {QStringLiteral("replayBar"), QStringLiteral("recordings.md#open")},
        {QStringLiteral("captureDialog"), QStringLiteral("monitor-traces.md#record-by-monitor")},
        {QStringLiteral("openRecordingDialog"), QStringLiteral("recordings.md#open")},
        {QStringLiteral("recordDialog"), QStringLiteral("recordings.md#record")},
        {QStringLiteral("statusRecording"), QStringLiteral("recordings.md#record")},
        {QStringLiteral("clientPanel"), QStringLiteral("window.md#the-clients")},
        {QStringLiteral("synchronizerPanel"), QStringLiteral("semaphores.md")},
        {QStringLiteral("nodePanel"), QStringLiteral("window.md#the-nodes-of-a-cluster")},
        {QStringLiteral("overviewPanel"), QStringLiteral("window.md#the-overview")},
        {QStringLiteral("statusNodes"), QStringLiteral("window.md#the-nodes-of-a-cluster")},
        {QStringLiteral("statusFaulty"), QStringLiteral("diagnoses.md")},
        {QStringLiteral("statusDenied"), QStringLiteral("connecting.md#rights")},
        {QStringLiteral("statusObservation"), QStringLiteral("costs.md#how-changes-are-noticed")},
        {QStringLiteral("statusReads"), QStringLiteral("costs.md")},
        {QStringLiteral("statusSweep"), QStringLiteral("finding-locks.md")},
        {QStringLiteral("statusLitter"), QStringLiteral("diagnoses.md#tokens-left-over")},
        {QStringLiteral("startPage"), QStringLiteral("connecting.md#saved-connections")},
        {QStringLiteral("connectDialog"), QStringLiteral("connecting.md")},
        {QStringLiteral("variablesDialog"), QStringLiteral("configurations.md#variables")},
        {QStringLiteral("springProfileDialog"), QStringLiteral("configurations.md#spring")},
        {QStringLiteral("armDialog"), QStringLiteral("connecting.md#read-only-until-armed")},
        {QStringLiteral("rightsDialog"), QStringLiteral("connecting.md#rights")},
        {QStringLiteral("checkDialog"), QStringLiteral("managed-services.md")},
        {QStringLiteral("acquireDialog"), QStringLiteral("breaking-a-lock.md#acquire-a-lock-by-hand")},
        {QStringLiteral("forceReleaseDialog"), QStringLiteral("breaking-a-lock.md")},
        {QStringLiteral("removePlacesDialog"), QStringLiteral("breaking-a-lock.md")},
        {QStringLiteral("giveBackDialog"), QStringLiteral("semaphores.md#return-a-permit")},
        {QStringLiteral("exitDialog"), QStringLiteral("breaking-a-lock.md#quitting-while-this-console-holds-locks")},
        {QStringLiteral("identifyDialog"), QStringLiteral("who-holds-it.md#find-out-who-this-is")},
        {QStringLiteral("aliasDialog"), QStringLiteral("who-holds-it.md#name-this-client")},
        {QStringLiteral("waitDialog"), QStringLiteral("who-holds-it.md#who-waits-for-whom")},
        {QStringLiteral("fetchDumpDialog"), QStringLiteral("threads.md#getting-a-dump")},
        {QStringLiteral("threadDumpDialog"), QStringLiteral("threads.md")},
        {QStringLiteral("lookupDialog"), QStringLiteral("looking-up-an-error.md")},
        {QStringLiteral("auditDialog"), QStringLiteral("audit.md#in-the-window")},
        {QStringLiteral("paletteDialog"), QStringLiteral("window.md#keys")},
        {QStringLiteral("shortcutsDialog"), QStringLiteral("window.md#keys")},
        {QStringLiteral("settingsDialog"), QStringLiteral("window.md#settings")},
        {QStringLiteral("noticeHistoryDialog"), QStringLiteral("notifications.md#what-was-noticed")},
        {QStringLiteral("noticeForm"), QStringLiteral("notifications.md")},
        {QStringLiteral("labPage"), QStringLiteral("lab.md#in-the-window")},
        {QStringLiteral("labReplayPage"), QStringLiteral("recordings.md#the-lab")},
        {QStringLiteral("historyPage"), QStringLiteral("history.md#history-on-disk")},
    };
    return topics;
}

QString manualPlaceOf(const QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
        for (const ManualTopic& topic : manualTopics())
            if (topic.objectName == widget->objectName())
                return topic.place;
    return QStringLiteral("index.md");
}

}  // namespace lockkeeper::ui
