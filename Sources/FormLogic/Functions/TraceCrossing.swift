/// Whether a line meets itself.
struct TraceCrossing {
    private struct Segment {
        let index: Int
        let from: GeoPoint
        let to: GeoPoint

        var left: Double { Swift.min(from.longitude, to.longitude) }
        var right: Double { Swift.max(from.longitude, to.longitude) }
    }

    private let segments: [Segment]
    private let isClosed: Bool

    init(_ points: [GeoPoint]) {
        var segments: [Segment] = []
        for (from, to) in zip(points, points.dropFirst()) where !Self.areSame(from, to: to) {
            segments.append(Segment(index: segments.count, from: from, to: to))
        }
        self.segments = segments
        isClosed = segments.count > 2 && Self.areSame(segments[0].from, to: segments[segments.count - 1].to)
    }

    private static func areSame(_ left: GeoPoint, to right: GeoPoint) -> Bool {
        left.latitude == right.latitude && left.longitude == right.longitude
    }

    /// Compares segments from the west to the east, so that only those near each other are compared.
    ///
    /// - Parameter spend: asked before each comparison; `nil` is returned when it refuses.
    func crosses(spend: () -> Bool) -> Bool? {
        let sorted = segments.sorted { $0.left < $1.left }
        for (position, first) in sorted.enumerated() {
            for second in sorted[(position + 1)...] {
                guard second.left <= first.right else { break }
                guard spend() else { return nil }
                let isEarlier = first.index < second.index
                if meet(isEarlier ? first : second, with: isEarlier ? second : first) { return true }
            }
        }
        return false
    }

    /// - Parameter later: the one that comes later in the line.
    private func meet(_ earlier: Segment, with later: Segment) -> Bool {
        if later.index == earlier.index + 1 {
            return turnsBack(from: earlier.from, over: earlier.to, to: later.to)
        }
        if isClosed, earlier.index == 0, later.index == segments.count - 1 {
            return turnsBack(from: later.from, over: earlier.from, to: earlier.to)
        }
        let first = side(of: later.from, line: earlier)
        let second = side(of: later.to, line: earlier)
        let third = side(of: earlier.from, line: later)
        let fourth = side(of: earlier.to, line: later)
        if first * second < 0, third * fourth < 0 { return true }
        return first == 0 && isBetween(later.from, segment: earlier)
            || second == 0 && isBetween(later.to, segment: earlier)
            || third == 0 && isBetween(earlier.from, segment: later)
            || fourth == 0 && isBetween(earlier.to, segment: later)
    }

    /// Whether two segments with a common end lie on each other.
    private func turnsBack(from: GeoPoint, over middle: GeoPoint, to: GeoPoint) -> Bool {
        let first = (x: from.longitude - middle.longitude, y: from.latitude - middle.latitude)
        let second = (x: to.longitude - middle.longitude, y: to.latitude - middle.latitude)
        return first.x * second.y - first.y * second.x == 0 && first.x * second.x + first.y * second.y > 0
    }

    /// Its sign says on which side the point is; 0 is on the line.
    private func side(of point: GeoPoint, line: Segment) -> Double {
        let value =
            (line.to.longitude - line.from.longitude) * (point.latitude - line.from.latitude)
            - (line.to.latitude - line.from.latitude) * (point.longitude - line.from.longitude)
        return value > 0 ? 1 : value < 0 ? -1 : 0
    }

    private func isBetween(_ point: GeoPoint, segment: Segment) -> Bool {
        point.longitude >= segment.left && point.longitude <= segment.right
            && point.latitude >= Swift.min(segment.from.latitude, segment.to.latitude)
            && point.latitude <= Swift.max(segment.from.latitude, segment.to.latitude)
    }
}
