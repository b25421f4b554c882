extension FormFunctions {
    static let geography: [FormFunction: Function] = [
        .distance: { arguments, state in
            points(of: arguments.flattened(), in: "distance", state: &state).map { .number(Geography.length($0)) }
                ?? .notANumber
        },
        .area: { arguments, state in
            points(of: arguments.flattened(), in: "area", state: &state).map { .number(Geography.area($0)) }
                ?? .notANumber
        },
        .geofence: { arguments, state in
            let values = [arguments.value(0, state: &state), arguments.value(1, state: &state)]
            guard let point = points(of: [values[0]], in: "geofence", state: &state),
                let shape = points(of: [values[1]], in: "geofence", state: &state), let first = point.first
            else { return .boolean(false) }
            return .boolean(Geography.isInside(first, of: shape))
        },
        .intersects: { arguments, state in
            guard let points = points(of: arguments.flattened(), in: "intersects", state: &state) else {
                return .boolean(false)
            }
            return .boolean(TraceCrossing(points).crosses { state.spend(1) } ?? false)
        },
    ]

    /// All points of all values; unanswered ones have none. `nil` with a report if one cannot be read.
    private static func points(
        of values: [FormValue], in function: Report.FunctionName, state: inout FunctionState
    ) -> [GeoPoint]? {
        var points: [GeoPoint] = []
        for value in values {
            guard let list = GeoPoint.list(state.conversions.text(value)) else {
                state.report(.unreadable, in: function)
                return nil
            }
            points += list
        }
        return points
    }
}
