import DocumentValues

/// What the metrics port answers, by its path.
enum MetricsPage: String, CaseIterable {
    case ping = "_ping"
    case numbers = "_expvar"
    case metrics
    /// The same under the name that Sync Gateway has for it.
    case reservedMetrics = "_metrics"

    var access: Route.Access {
        switch self {
        case .ping: .anybody
        case .numbers, .metrics, .reservedMetrics: .admin
        }
    }
}
