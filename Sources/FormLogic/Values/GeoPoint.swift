import DocumentValues

/// A position on the earth.
package struct GeoPoint: Sendable, Hashable {
    /// Degrees.
    package var latitude: Double
    package var longitude: Double
    /// Metres; 0 when unknown.
    package var altitude: Double
    /// Metres; 0 when unknown.
    package var accuracy: Double

    package init(latitude: Double, longitude: Double, altitude: Double = 0, accuracy: Double = 0) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.accuracy = accuracy
    }

    /// Reads `52.5 13.4`, perhaps with altitude and accuracy; `nil` for another text.
    package init?(_ text: some StringProtocol) {
        let parts = text.spacedParts
        guard (2...4).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { NumberReading.number($0) }
        guard numbers.count == parts.count, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else { return nil }
        self.init(
            latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : 0,
            accuracy: numbers.count > 3 ? numbers[3] : 0)
    }

    /// `52.5 13.4 34.0 5.0`.
    package var text: String {
        [latitude, longitude, altitude, accuracy].map { FormNumberText.withFraction($0) }.joined(separator: " ")
    }

    /// The corners of a shape with the first one once more at the end, where it is not there yet.
    package static func closed(_ corners: [GeoPoint]) -> [GeoPoint] {
        guard let first = corners.first, let last = corners.last else { return [] }
        let isClosed = corners.count > 1 && first.latitude == last.latitude && first.longitude == last.longitude
        return isClosed ? corners : corners + [first]
    }

    /// Reads points with `;` between them; `nil` if one of them cannot be read. No text has no points.
    package static func list(_ text: String) -> [GeoPoint]? {
        var points: [GeoPoint] = []
        for part in text.split(atByte: ";") where !part.trimmingSpaces.isEmpty {
            guard let point = GeoPoint(part) else { return nil }
            points.append(point)
        }
        return points
    }
}
