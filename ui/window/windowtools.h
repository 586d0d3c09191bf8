#pragma once

#include "engine/engine.h"

#include <QObject>

class QMainWindow;

namespace lockkeeper::ui {

class EventLogModel;
class HolderDesk;
class LockTableModel;
class LocksPage;
class LookupDesk;
class ViewTime;
class WindowActions;

// What the tools of a window work with. All of it outlives them.
struct ToolContext {
    Engine& engine;
    const LockTableModel& locks;
    const EventLogModel& log;
    const ViewTime& time;
    LocksPage& page;
    const HolderDesk& holders;
    const WindowActions& actions;
};

// What the menu "Tools" offers, each with a desk of its own. Made when the window already follows the engine: what the
// desks hear is on the screen then.
class WindowTools final : public QObject {
    Q_OBJECT
public:
    WindowTools(const ToolContext& context, QMainWindow& window);

private:
    void followLookup(const ToolContext& context);

    LookupDesk* m_lookup;
};

}  // namespace lockkeeper::ui
