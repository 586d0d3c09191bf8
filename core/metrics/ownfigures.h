// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/samples.h"

namespace lockkeeper::metrics {

// The exporter's own version, processor time and memory, by the conventions of Prometheus.
void writeOwnFigures(Samples& samples, const QByteArray& version);

}  // namespace lockkeeper::metrics
