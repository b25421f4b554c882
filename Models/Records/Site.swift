import DocumentValues

/// A place that is inspected: a kitchen, a playground, a well.
public struct Site: FieldRecord {
    public static let kind = RecordKind.site
    public static let schemaVersion = 1

    public var id: String
    public var name: String
    public var address: Address
    public var location: Coordinates?
    public var phone: String?
    public var notes: String?
    public var envelope: RecordEnvelope

    /// The names of the members.
    public enum Key: String, MemberKey {
        case name
        case address
        case location
        case phone
        case notes
    }

    public init(id: String, name: String, address: Address, district: District) {
        self.id = id
        self.name = name
        self.address = address
        envelope = RecordEnvelope(district: district)
    }

    public init(id: String, reading reader: inout RecordReader) {
        self.id = id
        name = reader.requiredText(Key.name)
        address = reader.nested(Key.address) { Address(reading: &$0) } ?? Address()
        location = reader.nested(Key.location) { Coordinates(reading: &$0) }
        phone = reader.text(Key.phone)
        notes = reader.text(Key.notes)
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) {
        writer.set(Key.name, to: name)
        writer.set(Key.address, object: address.object)
        writer.set(Key.location, object: location?.object)
        writer.set(Key.phone, to: phone)
        writer.set(Key.notes, to: notes)
    }

    public func ownProblems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if name.isBlank { problems.append(FieldProblem("name", message: "is empty")) }
        if district == nil { problems.append(FieldProblem("district", message: "is missing")) }
        problems += TextLength.problems(
            atMost: TextLength.line,
            [
                "name": name, "address.street": address.street, "address.city": address.city,
                "address.state": address.state, "address.postalCode": address.postalCode, "phone": phone,
            ])
        problems += TextLength.problems(atMost: TextLength.paragraphs, ["notes": notes])
        return problems + (location?.problems() ?? [])
    }

    public var title: String { name.asTitle }
}

/// Where a letter would go. Every part may be missing: a well has no street.
public struct Address: Sendable, Hashable {
    public var street: String?
    public var city: String?
    public var state: String?
    public var postalCode: String?
    /// Members that this version does not know.
    public var rest = JSONObject()

    /// The names of the members.
    public enum Key: String, MemberKey {
        case street
        case city
        case state
        case postalCode
    }

    public init(street: String? = nil, city: String? = nil, state: String? = nil, postalCode: String? = nil) {
        self.street = street
        self.city = city
        self.state = state
        self.postalCode = postalCode
    }

    init(reading reader: inout RecordReader) {
        street = reader.text(Key.street)
        city = reader.text(Key.city)
        state = reader.text(Key.state)
        postalCode = reader.text(Key.postalCode)
        rest = reader.rest
    }

    var object: JSONObject? {
        var writer = RecordWriter()
        writer.set(Key.street, to: street)
        writer.set(Key.city, to: city)
        writer.set(Key.state, to: state)
        writer.set(Key.postalCode, to: postalCode)
        writer.append(rest)
        return writer.members.isEmpty ? nil : writer.object
    }

    /// `12 Quay Street, Port Amble, 94110`.
    public var line: String {
        [street, city, [state, postalCode].compactMap(\.self).joined(separator: " ")]
            .compactMap(\.self).filter { !$0.isBlank }.joined(separator: ", ")
    }
}

/// A place on the earth in degrees (WGS 84).
public struct Coordinates: Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// Members that this version does not know, such as an accuracy.
    public var rest = JSONObject()

    /// The names of the members.
    public enum Key: String, MemberKey {
        case latitude
        case longitude
    }

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(reading reader: inout RecordReader) {
        let latitude = reader.number(Key.latitude, isVital: true)
        let longitude = reader.number(Key.longitude, isVital: true)
        if latitude == nil || longitude == nil { reader.note("latitude", because: "and longitude belong together") }
        self.init(latitude: latitude ?? 0, longitude: longitude ?? 0)
        rest = reader.rest
    }

    var object: JSONObject {
        var writer = RecordWriter()
        writer.set(Key.latitude, to: latitude)
        writer.set(Key.longitude, to: longitude)
        writer.append(rest)
        return writer.object
    }

    func problems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if !(-90...90).contains(latitude) {
            problems.append(FieldProblem("location.latitude", message: "must be from -90 to 90, but is \(latitude)"))
        }
        if !(-180...180).contains(longitude) {
            problems.append(
                FieldProblem("location.longitude", message: "must be from -180 to 180, but is \(longitude)"))
        }
        return problems
    }
}
