/// Shows how far long work has come.
public protocol ProgressMeter: AnyObject {
    /// - Parameter total: `nil` while the total is unknown.
    func update(_ label: String, completed: UInt64, total: UInt64?)
    /// The work is over; its progress may disappear.
    func finish()
}

/// Shows nothing: output for programs, and tests.
public final class NoProgressMeter: ProgressMeter {
    public init() {}
    public func update(_ label: String, completed: UInt64, total: UInt64?) {}
    public func finish() {}
}

/// A bar that is drawn over itself, on a terminal.
public final class BarProgressMeter: ProgressMeter {
    private let write: (String) -> Void
    private let columns: () -> Int
    private var isShown = false
    private var last = ""

    public init(columns: @escaping () -> Int, write: @escaping (String) -> Void) {
        self.columns = columns
        self.write = write
    }

    public func update(_ label: String, completed: UInt64, total: UInt64?) {
        let line = ProgressBar.line(label, completed: completed, total: total, width: columns() - 1)
        guard line != last else { return }
        last = line
        isShown = true
        write("\r" + line + "\u{1B}[K")
    }

    public func finish() {
        guard isShown else { return }
        write("\r\u{1B}[K")
        isShown = false
        last = ""
    }
}

/// A plain line now and then, where there is no terminal.
public final class LineProgressMeter: ProgressMeter {
    private let write: (String) -> Void
    private let clock = ContinuousClock()
    private var lastTime: ContinuousClock.Instant?
    /// Seconds to the next line: the longer the work, the rarer the lines.
    private var pause = ShellLimits.progressSeconds

    public init(write: @escaping (String) -> Void) { self.write = write }

    public func update(_ label: String, completed: UInt64, total: UInt64?) {
        let now = clock.now
        // Short work shows only its result.
        guard let lastTime else { return lastTime = now }
        guard now - lastTime >= .seconds(pause) else { return }
        pause = min(pause * 2, ShellLimits.progressSecondsAtMost)
        self.lastTime = now
        write("\(completed.grouped)\(total.map { " of \($0.grouped)" } ?? "") \(label) until now.\n")
    }

    public func finish() {
        lastTime = nil
        pause = ShellLimits.progressSeconds
    }
}

/// `sites [#########           ]  45 % 2,880 of 6,399`.
enum ProgressBar {
    static func line(_ label: String, completed: UInt64, total: UInt64?, width: Int) -> String {
        guard let total else { return String("\(label): \(completed.grouped)".prefix(max(0, width))) }
        let share = total == 0 ? 0 : min(1, Double(completed) / Double(total))
        let percent = String(Int(share * 100))
        let numbers =
            String(repeating: " ", count: 3 - percent.count) + "\(percent) % \(completed.grouped) of \(total.grouped)"
        let room = width - label.count - numbers.count - 5
        guard room >= 5 else { return String("\(label) \(numbers)".prefix(max(0, width))) }
        let length = min(room, 40)
        let done = Int(share * Double(length))
        let bar = String(repeating: "#", count: done) + String(repeating: " ", count: length - done)
        return "\(label) [\(bar)] \(numbers)"
    }
}

extension UInt64 {
    /// `59,638`.
    var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}

extension Int {
    var grouped: String { (self < 0 ? "-" : "") + UInt64(magnitude).grouped }

    /// `1 site`, `3 sites`.
    func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
