// SPDX-License-Identifier: Apache-2.0
#include "metrics/ownfigures.h"

#include "platform/processfigures.h"

namespace lockkeeper::metrics {

void writeOwnFigures(Samples& samples, const QByteArray& version) {
    samples.add(Metric::BuildInfo, Labels().with("version", version).with("qt", qVersion()), 1);
    const platform::ProcessFigures figures = platform::processFigures();
    samples.add(Metric::ProcessCpu, Labels(), figures.processorTime.count());
    const auto addKnown = [&samples](Metric metric, const auto& value) {
        if (value)
            samples.add(metric, Labels(), static_cast<double>(*value));
    };
    addKnown(Metric::ProcessResident, figures.residentBytes);
    addKnown(Metric::ProcessVirtual, figures.virtualBytes);
    addKnown(Metric::ProcessOpenFiles, figures.openFiles);
    addKnown(Metric::ProcessMostFiles, figures.mostFiles);
    addKnown(Metric::ProcessStart, figures.startedAt);
}

}  // namespace lockkeeper::metrics
