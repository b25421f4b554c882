/// The text form that Prometheus reads.
struct MetricsText {
    private(set) var text = ""

    mutating func gauge(_ name: String, _ value: Int) { family(name, "gauge", [("", value)]) }
    mutating func counter(_ name: String, _ value: Int) { family(name, "counter", [("", value)]) }

    /// One line for each set of labels.
    mutating func family(_ name: String, _ type: String, _ values: [(labels: String, value: Int)]) {
        text += "# TYPE \(name) \(type)\n"
        for (labels, value) in values { text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n" }
    }
}
