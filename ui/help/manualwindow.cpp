// SPDX-License-Identifier: Apache-2.0
#include "ui/help/manualwindow.h"

#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/words/tone.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QImage>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QShortcut>
#include <QSplitter>
#include <QStyle>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstManualSize(1040, 760);
constexpr qreal mostOfScreen = 0.9;  // the rest is for the frame
constexpr int listWidth = 270;
constexpr int pictureWidth = 700;
constexpr int listSpacing = 3;
constexpr qreal manualCellPadding = 4;
constexpr qreal codeIndent = 12;
constexpr qreal aboveHeading = 18;

QToolButton* buttonOf(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_back(new QAction(this)),
      m_forward(new QAction(this)),
      m_find(new QAction(this)),
      m_words(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_page(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("manualWindow"));
    setWindowIcon(applicationIcon());
    // The program ends with its main window, whether or not the manual is still open.
    setAttribute(Qt::WA_QuitOnClose, false);
    resize(firstManualSize.boundedTo(screen()->availableSize() * mostOfScreen));
    makeActions();
    makeLayout();
    connect(m_words, &QLineEdit::textChanged, this, &ManualWindow::fillList);
    connect(m_words, &QLineEdit::returnPressed, this, &ManualWindow::openFirstHit);
    connect(m_list, &QListWidget::itemClicked, this, &ManualWindow::openItem);
    connect(m_list, &QListWidget::itemActivated, this, &ManualWindow::openItem);
    connect(m_page, &QTextBrowser::sourceChanged, this, &ManualWindow::finishPage);
    keepTranslated(*this, [this] { retranslate(); });
}

void ManualWindow::makeActions() {
    m_back->setObjectName(QStringLiteral("manualBack"));
    m_back->setShortcut(QKeySequence::Back);
    m_back->setIcon(style()->standardIcon(QStyle::SP_ArrowBack));
    m_forward->setObjectName(QStringLiteral("manualForward"));
    m_forward->setShortcut(QKeySequence::Forward);
    m_forward->setIcon(style()->standardIcon(QStyle::SP_ArrowForward));
    m_find->setShortcut(QKeySequence::Find);
    addActions({m_back, m_forward, m_find});
    connect(m_back, &QAction::triggered, m_page, &QTextBrowser::backward);
    connect(m_forward, &QAction::triggered, m_page, &QTextBrowser::forward);
    connect(m_find, &QAction::triggered, this, [this] {
        m_words->setFocus();
        m_words->selectAll();
    });
    connect(m_page, &QTextBrowser::backwardAvailable, m_back, &QAction::setEnabled);
    connect(m_page, &QTextBrowser::forwardAvailable, m_forward, &QAction::setEnabled);
    m_back->setEnabled(false);
    m_forward->setEnabled(false);
    connect(new QShortcut(QKeySequence::Cancel, this), &QShortcut::activated, this, &ManualWindow::clearSearchOrClose);
}

void ManualWindow::makeLayout() {
    m_words->setObjectName(QStringLiteral("manualSearch"));
    m_words->setClearButtonEnabled(true);
    m_words->addAction(icon(QStringLiteral("search"), Tone::Quiet), QLineEdit::LeadingPosition);
    m_words->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("manualList"));
    m_list->setWordWrap(true);
    m_list->setSpacing(listSpacing);
    m_list->setFrameShape(QFrame::NoFrame);
    m_page->setObjectName(QStringLiteral("manualPage"));
    m_page->setOpenExternalLinks(true);
    m_page->setUndoRedoEnabled(false);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->document()->setDocumentMargin(16);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 6, 6, 6);
    bar->addWidget(buttonOf(m_back, this));
    bar->addWidget(buttonOf(m_forward, this));
    bar->addWidget(m_words, 1);
    auto* halves = new QSplitter(this);
    halves->addWidget(m_list);
    halves->addWidget(m_page);
    halves->setStretchFactor(1, 1);
    halves->setSizes({listWidth, firstManualSize.width() - listWidth});
    halves->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(halves, 1);
    setTabOrder(m_words, m_list);
    setTabOrder(m_list, m_page);
}

void ManualWindow::retranslate() {
    setWindowTitle(tr("Manual - Lockkeeper"));
    m_back->setText(tr("Back"));
    m_forward->setText(tr("Forward"));
    m_find->setText(tr("Search the manual"));
    m_words->setPlaceholderText(tr("Search all pages (Ctrl+F)"));
    m_words->setAccessibleName(tr("Search all pages of the manual"));
    m_list->setAccessibleName(tr("Pages of the manual"));
    m_page->setAccessibleName(tr("Text of the manual"));
    fillList();
}

bool ManualWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_words || event->type() != QEvent::KeyPress ||
        static_cast<QKeyEvent*>(event)->key() != Qt::Key_Down)
        return QWidget::eventFilter(watched, event);
    m_list->setFocus();
    if (m_list->currentRow() < 0)
        m_list->setCurrentRow(0);
    return true;
}

void ManualWindow::showPlace(const QString& place) {
    show();
    raise();
    activateWindow();
    m_page->setSource(manualUrl(place));
    m_page->setFocus();
}

QStringList ManualWindow::words() const {
    return m_words->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

void ManualWindow::fillList() {
    m_list->clear();
    if (words().isEmpty())
        listPages();
    else
        listHits();
    highlightWords();
}

void ManualWindow::listPages() {
    for (const ManualPage& page : m_search.pages()) {
        auto* item = new QListWidgetItem(page.title, m_list);
        item->setData(Qt::UserRole, page.file);
        if (m_shown.matches(manualUrl(page.file), QUrl::RemoveFragment))
            m_list->setCurrentItem(item);
    }
}

void ManualWindow::listHits() {
    for (const ManualHit& hit : m_search.find(words())) {
        const QString heading = hit.section == hit.page ? hit.page : tr("%1: %2").arg(hit.page, hit.section);
        auto* item = new QListWidgetItem(heading + QLatin1Char('\n') + hit.excerpt, m_list);
        item->setData(Qt::UserRole, hit.place);
    }
    if (m_list->count() > 0)
        return;
    auto* nothing = new QListWidgetItem(tr("No page contains all of these words."), m_list);
    nothing->setFlags(Qt::NoItemFlags);
}

void ManualWindow::openItem(const QListWidgetItem* item) {
    const QString place = item->data(Qt::UserRole).toString();
    if (!place.isEmpty())
        m_page->setSource(manualUrl(place));
}

void ManualWindow::openFirstHit() {
    if (words().isEmpty() || m_list->count() == 0)
        return;
    m_list->setCurrentRow(0);
    openItem(m_list->item(0));
}

void ManualWindow::clearSearchOrClose() {
    if (m_words->text().isEmpty())
        close();
    else
        m_words->clear();
}

// The browser has just read the page. What Markdown leaves out is added here.
void ManualWindow::finishPage(const QUrl& url) {
    m_shown = url;
    markHeadings();
    showTables();
    showCode();
    fitPictures();
    highlightWords();
    if (url.hasFragment())
        m_page->scrollToAnchor(url.fragment());
    if (words().isEmpty()) {
        m_list->clear();
        listPages();
    }
}

// Qt gives headings no anchors of their own, so links to them would lead nowhere.
void ManualWindow::markHeadings() {
    for (QTextBlock block = m_page->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0)
            continue;
        QTextCharFormat format;
        format.setAnchor(true);
        format.setAnchorNames({anchorOf(block.text())});
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(format);
        QTextBlockFormat spaced;
        spaced.setTopMargin(block.position() == 0 ? 0 : aboveHeading);
        cursor.mergeBlockFormat(spaced);
    }
}

// Pictures are as wide as the page is in the first size of this window. Qt would scale a picture without smoothing
// it.
void ManualWindow::fitPictures() {
    QTextDocument& document = *m_page->document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            if (!part.fragment().charFormat().isImageFormat())
                continue;
            const QUrl name(part.fragment().charFormat().toImageFormat().name());
            QImage picture(QStringLiteral(":") + m_shown.resolved(name).path());
            picture = picture.scaledToWidth(qRound(pictureWidth * devicePixelRatioF()), Qt::SmoothTransformation);
            picture.setDevicePixelRatio(devicePixelRatioF());
            document.addResource(QTextDocument::ImageResource, document.baseUrl().resolved(name), picture);
            document.markContentsDirty(part.fragment().position(), part.fragment().length());
        }
    }
}

void ManualWindow::showTables() {
    for (QTextFrame* frame : m_page->document()->rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setCellPadding(manualCellPadding);
        format.setCellSpacing(0);
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(palette().mid());
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        table->setFormat(format);
    }
}

void ManualWindow::showCode() {
    for (QTextBlock block = m_page->document()->begin(); block.isValid(); block = block.next()) {
        if (!block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage))
            continue;
        QTextBlockFormat format;
        format.setBackground(palette().alternateBase());
        format.setLeftMargin(codeIndent);
        QTextCursor(block).mergeBlockFormat(format);
    }
}

void ManualWindow::highlightWords() {
    QList<QTextEdit::ExtraSelection> selections;
    QTextCharFormat format;
    format.setBackground(palette().highlight());
    format.setForeground(palette().highlightedText());
    for (const QString& word : words()) {
        QTextCursor cursor(m_page->document());
        while (!(cursor = m_page->document()->find(word, cursor)).isNull())
            selections << QTextEdit::ExtraSelection{cursor, format};
    }
    m_page->setExtraSelections(selections);
}

}  // namespace lockkeeper::ui

#include "moc_manualwindow.cpp"
