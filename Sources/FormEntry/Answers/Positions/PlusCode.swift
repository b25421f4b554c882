import DocumentValues
import FormLogic
import Glibc

/// An Open Location Code: `9F4MGC22+22`, the name of an area.
enum PlusCode {
    /// The middle of the area.
    case full(latitude: Double, longitude: Double, halfDiagonal: Double)
    /// `GC22+22`, which needs a town nearby.
    case short

    private static let digits = Array("23456789CFGHJMPQRVWX".utf8)

    /// `nil` for a text that is no such code.
    init?(_ text: String) {
        let first = text.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        guard first.count <= 16 else { return nil }
        let code = Array(String(Substring(first)).uppercased().utf8)
        let parts = code.split(separator: UInt8(ascii: "+"), omittingEmptySubsequences: false)
        guard parts.count == 2, [4, 6, 8].contains(parts[0].count) || parts[0].count == 2, parts[1].count != 1,
            parts[1].count <= 7
        else { return nil }
        let padding = parts[0].drop { $0 != UInt8(ascii: "0") }
        let letters = parts[0].prefix { $0 != UInt8(ascii: "0") } + parts[1]
        let values = letters.compactMap { Self.digits.firstIndex(of: $0) }
        guard values.count == letters.count, padding.allSatisfy({ $0 == UInt8(ascii: "0") }),
            padding.isEmpty || (padding.count.isMultiple(of: 2) && parts[0].count == 8 && parts[1].isEmpty),
            values.count >= 2
        else { return nil }
        if parts[0].count < 8 {
            // `52.5+13` has letters of no code, and `20+30` may be anything.
            guard parts[1].count >= 2 else { return nil }
            self = .short
        } else {
            guard first.count == text.utf8.count, values[0] < 9, values[1] < 18 else { return nil }
            self = Self.area(values)
        }
    }

    private static func area(_ values: [Int]) -> PlusCode {
        var (latitude, longitude) = (-90.0, -180.0)
        var (height, width) = (400.0, 400.0)
        for (index, value) in values.enumerated() {
            if index >= 10 {
                height /= 5
                width /= 4
                latitude += Double(value / 4) * height
                longitude += Double(value % 4) * width
            } else if index.isMultiple(of: 2) {
                height /= 20
                latitude += Double(value) * height
            } else {
                width /= 20
                longitude += Double(value) * width
            }
        }
        let middle = (latitude + height / 2, longitude + width / 2)
        let metres = Double.pi * 6_378_137 / 180
        let sides = (height * metres, width * metres * cos(middle.0 * .pi / 180))
        let half = (sides.0 * sides.0 + sides.1 * sides.1).squareRoot() / 2
        return .full(latitude: rounded(middle.0), longitude: rounded(middle.1), halfDiagonal: rounded(half, to: 1e3))
    }

    /// Sums of fractions leave digits that nothing has measured.
    private static func rounded(_ number: Double, to scale: Double = 1e9) -> Double {
        (number * scale).rounded() / scale
    }
}
