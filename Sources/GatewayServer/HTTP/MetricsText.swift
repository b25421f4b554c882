import Foundation
import Glibc

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

/// What the kernel says of this process.
enum ProcessMemory {
    /// Bytes in memory; 0 where `/proc` is not there.
    static var resident: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
