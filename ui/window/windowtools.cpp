#include "ui/window/windowtools.h"

#include "ui/holders/holderdesk.h"
#include "ui/lookup/lookupdesk.h"
#include "ui/window/lockspage.h"
#include "ui/window/windowactions.h"

#include <QMainWindow>

namespace lockkeeper::ui {

WindowTools::WindowTools(const ToolContext& context, QMainWindow& window)
    : QObject(&window), m_lookup(new LookupDesk(context.engine, context.locks, context.log, context.time, window)) {
    followLookup(context);
}

void WindowTools::followLookup(const ToolContext& context) {
    connect(&context.engine, &Engine::connectionChanged, m_lookup, &LookupDesk::setStatus);
    connect(&context.actions, &WindowActions::lookupWanted, m_lookup, &LookupDesk::open);
    connect(m_lookup, &LookupDesk::lockChosen, &context.page, &LocksPage::reveal);
    const auto learn = [this, holders = &context.holders] { m_lookup->setKnowledge(holders->knowledge()); };
    connect(&context.holders, &HolderDesk::knowledgeChanged, m_lookup, learn);
    learn();
}

}  // namespace lockkeeper::ui
