import DocumentValues

/// The kind of value that an expression gives, as far as it can be known from the form.
struct StaticKinds {
    enum Kind: Sendable, Hashable {
        case text, number, boolean, date, dateTime, time
        case unknown
    }

    let paths: StaticPath
    private let outline: FormOutline

    init(outline: FormOutline, owner: FormOutline.ID) {
        self.outline = outline
        paths = StaticPath(outline: outline, owner: owner)
    }

    func kind(of expression: FormExpression, context: StaticPath.Location) -> Kind {
        switch expression {
        case .text: return .text
        case .number, .negated: return .number
        case .logical: return .boolean
        case .chain(_, let links): return links.first.map { Self.kind(of: $0.operator) } ?? .unknown
        case .union: return .unknown
        case .call(let call): return kind(of: call, context: context)
        case .path:
            guard let id = paths.target(of: expression, context: context), let type = outline[id].type else {
                return .unknown
            }
            return Self.kind(of: type)
        }
    }

    private static func kind(of sign: FormExpression.Operator) -> Kind {
        switch sign {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .boolean
        case .plus, .minus, .times, .divided, .modulo: .number
        }
    }

    private func kind(of call: FunctionCall, context: StaticPath.Location) -> Kind {
        switch call.function {
        case .today, .date: return .date
        case .now, .dateTime: return .dateTime
        case .if:
            let kinds = call.arguments.dropFirst().map { kind(of: $0, context: context) }
            return kinds[0] == kinds[1] ? kinds[0] : .unknown
        case .boolean, .not, .true, .false, .booleanFromString, .selected, .contains, .startsWith, .endsWith, .regex,
            .checklist, .weightedChecklist, .geofence, .intersects:
            return .boolean
        case .position, .countSelected, .count, .countNonEmpty, .sum, .min, .max, .number, .stringLength, .int, .round,
            .pow, .exp, .exp10, .log, .log10, .sqrt, .abs, .sin, .cos, .tan, .asin, .acos, .atan, .atan2, .pi, .random,
            .floor, .ceiling, .last, .decimalDateTime, .decimalTime, .distance, .area:
            return .number
        case .selectedAt, .choiceName, .itext, .concat, .join, .string, .substr, .substringBefore, .substringAfter,
            .translate, .normalizeSpace, .digest, .base64Decode, .extractSigned, .uuid, .substring, .formatDate,
            .formatDateTime, .version, .property, .pulldata:
            return .text
        case .coalesce, .once, .current, .instance, .depend, .indexedRepeat, .randomize: return .unknown
        }
    }

    private static func kind(of type: QuestionType) -> Kind {
        guard case .plain(let type) = type else { return .text }
        switch type {
        case .integer, .decimal, .range: return .number
        case .date, .today: return .date
        case .dateTime, .start, .end: return .dateTime
        case .time: return .time
        case .calculate, .hidden: return .unknown
        case .text, .geopoint, .geotrace, .geoshape, .image, .audio, .video, .file, .barcode, .note, .acknowledge,
            .deviceid, .username, .email, .phonenumber, .uriDeviceid, .uriUsername, .uriEmail, .uriPhonenumber,
            .subscriberid, .simserial, .startGeopoint, .backgroundGeopoint, .audit, .csvExternal, .xmlExternal:
            return .text
        }
    }
}
