/// The text form that Prometheus reads.
struct MetricsText {
    enum Kind: String, Sendable { case gauge, counter }

    private(set) var text = ""

    mutating func gauge(_ name: String, help: String, value: Int) {
        family(name, kind: .gauge, help: help, values: [("", value)])
    }
    mutating func counter(_ name: String, help: String, value: Int) {
        family(name, kind: .counter, help: help, values: [("", value)])
    }

    /// One line for each set of labels. `help` is one line, too.
    mutating func family(_ name: String, kind: Kind, help: String, values: [(labels: String, value: Int)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, value) in values { text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n" }
    }
}
