import FormLogic

/// A position as a line says it.
struct TypedPosition: Sendable {
    let point: GeoPoint
    /// Whether the longitude goes first in the line, or has to for the numbers to be on the earth.
    var isSwapped = false
    var notes: [AnswerNote] = []

    init(_ point: GeoPoint, isSwapped: Bool = false, notes: [AnswerNote] = []) {
        self.point = point
        self.isSwapped = isSwapped
        self.notes = notes
    }

    /// - Throws: `AnswerRefusal` for numbers that no position has.
    init(
        latitude: Double, longitude: Double, altitude: Double = 0, accuracy: Double = 0, isSwapped: Bool = false
    ) throws(AnswerRefusal) {
        guard abs(latitude) <= 90 else { throw .latitudeOutside }
        guard abs(longitude) <= 180 else { throw .longitudeOutside }
        guard abs(altitude) <= EntryLimits.altitude, (0...EntryLimits.altitude).contains(accuracy) else {
            throw .heightOutside
        }
        self.init(
            GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude, accuracy: accuracy),
            isSwapped: isSwapped)
    }
}
