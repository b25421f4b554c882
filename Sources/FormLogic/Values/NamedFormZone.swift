import Foundation

/// A zone with its summer times, as the system knows it.
package struct NamedFormZone: FormZone {
    private let zone: TimeZone

    /// - Parameter identifier: `Europe/Berlin`; `nil` where the system does not know it.
    package init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.zone = zone
    }

    /// The zone of the laptop.
    package static var current: NamedFormZone { NamedFormZone(zone: .current) }

    private init(zone: TimeZone) { self.zone = zone }

    package func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
}
