/// The text form that Prometheus reads.
struct MetricsText {
    enum Kind: String, Sendable { case gauge, counter }

    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ value: Int) { family(name, .gauge, help, [("", value)]) }
    mutating func counter(_ name: String, _ help: String, _ value: Int) { family(name, .counter, help, [("", value)]) }

    /// One line for each set of labels. `help` is one line, too.
    mutating func family(_ name: String, _ kind: Kind, _ help: String, _ values: [(labels: String, value: Int)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, value) in values { text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n" }
    }
}
