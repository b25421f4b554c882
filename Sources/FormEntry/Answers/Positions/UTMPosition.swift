import DocumentValues
import FormLogic
import Glibc

/// A position in a zone of the transverse Mercator projection: `33U 391000 5817000`.
struct UTMPosition: Sendable {
    private let zone: Int
    /// The letter of its band of latitude, `C` to `X`; `N` and `S` may also be those of the hemispheres.
    private let band: UInt8
    private let easting: Double
    private let northing: Double

    private static let bands = Array("CDEFGHJKLMNPQRSTUVWX".utf8)

    /// `nil` for a text of another form.
    init?(_ text: String) {
        var parts = PlainDigits.of(text).uppercased().spacedParts
        if parts.count == 4, parts[1].utf8.count == 1 { parts[0] += parts.remove(at: 1) }
        guard parts.count == 3, let letter = parts[0].utf8.last, Self.bands.contains(letter),
            let zone = Int(String(Substring(parts[0].utf8.dropLast()))), (1...60).contains(zone),
            let easting = Self.metres(parts[1], unit: "E"), (100_000..<1_000_000).contains(easting),
            let northing = Self.metres(parts[2], unit: "N"), (0...10_000_000).contains(northing)
        else { return nil }
        self.zone = zone
        band = letter
        self.easting = easting
        self.northing = northing
    }

    /// `391000`, `391000.5`, `391000mE`
    private static func metres(_ text: String, unit: String) -> Double? {
        var bytes = text.utf8[...]
        if bytes.last == unit.utf8.first { bytes = bytes.dropLast() }
        if bytes.last == UInt8(ascii: "M") { bytes = bytes.dropLast() }
        let isPlain = bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return isPlain && bytes.count <= 20 ? Double(String(Substring(bytes))) : nil
    }

    /// Whether it is a reference of the military grid, `33UUU9100017000`, which has letters for its square.
    static func isGridReference(_ text: String) -> Bool {
        guard text.utf8.count <= 40 else { return false }
        let bytes = Array(text.uppercased().utf8.filter { $0 != 0x20 })
        let digits = bytes.prefix { (0x30...0x39).contains($0) }.count
        guard (1...2).contains(digits), bytes.count >= digits + 3 else { return false }
        let letters = bytes[digits..<digits + 3].allSatisfy { (0x41...0x5A).contains($0) }
        let rest = bytes[(digits + 3)...]
        return letters && rest.count.isMultiple(of: 2) && rest.allSatisfy { (0x30...0x39).contains($0) }
            && bands.contains(bytes[digits])
    }

    /// - Throws: `AnswerRefusal` where the numbers are not in the band of the letter.
    func position() throws(AnswerRefusal) -> TypedPosition {
        let index = Self.bands.firstIndex(of: band) ?? 0
        let bandStart = Double(index) * 8 - 80
        let bandEnd = band == UInt8(ascii: "X") ? 84 : bandStart + 8
        let point = point(isSouth: bandStart < 0)
        // At the edge of a band the letter of the neighbour is usual.
        if (bandStart - 0.5...bandEnd + 0.5).contains(point.latitude) { return TypedPosition(point) }
        guard band == UInt8(ascii: "N") || band == UInt8(ascii: "S") else { throw .otherBand }
        return TypedPosition(self.point(isSouth: band == UInt8(ascii: "S")))
    }

    /// Krüger's series to the third power of the flattening, exact to a millimetre.
    private func point(isSouth: Bool) -> GeoPoint {
        let flattening = 1 / 298.257223563
        let n = flattening / (2 - flattening)
        let radius = 6_378_137 / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64)
        let scale = 0.9996 * radius
        let north = (northing - (isSouth ? 10_000_000 : 0)) / scale
        let east = (easting - 500_000) / scale
        let beta = [
            n / 2 - 2 * n * n / 3 + 37 * n * n * n / 96, n * n / 48 + n * n * n / 15, 17 * n * n * n / 480,
        ]
        let delta = [
            2 * n - 2 * n * n / 3 - 2 * n * n * n, 7 * n * n / 3 - 8 * n * n * n / 5, 56 * n * n * n / 15,
        ]
        var (xi, eta) = (north, east)
        for (index, factor) in beta.enumerated() {
            let double = 2 * Double(index + 1)
            xi -= factor * sin(double * north) * cosh(double * east)
            eta -= factor * cos(double * north) * sinh(double * east)
        }
        let chi = asin(sin(xi) / cosh(eta))
        var latitude = chi
        for (index, factor) in delta.enumerated() { latitude += factor * sin(2 * Double(index + 1) * chi) }
        let meridian = Double(zone) * 6 - 183
        let longitude = meridian + atan2(sinh(eta), cos(xi)) * 180 / .pi
        return GeoPoint(latitude: Self.rounded(latitude * 180 / .pi), longitude: Self.rounded(longitude))
    }

    /// To a centimetre and less; in degrees of the earth.
    private static func rounded(_ degrees: Double) -> Double {
        let rounded = (degrees * 1e7).rounded() / 1e7
        return rounded > 180 ? rounded - 360 : rounded < -180 ? rounded + 360 : rounded
    }
}
