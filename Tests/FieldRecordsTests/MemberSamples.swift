import DocumentValues
import FieldModels

/// A value for each member that the program reads of a record. A new member does not compile without one here, and so goes
/// through the tests of all members.
enum MemberSamples {
    /// A record with each member.
    static func object(of kind: RecordKind) -> JSONObject {
        let own =
            switch kind {
            case .site: members(of: Site.Key.self)
            case .inspection: members(of: Inspection.Key.self)
            case .finding: members(of: Finding.Key.self)
            case .form: members(of: FormDefinition.Key.self)
            case .assignment: members(of: Assignment.Key.self)
            case .response: members(of: Response.Key.self)
            }
        var object = members(of: RecordEnvelope.Key.self).setting(own)
        object[RecordEnvelope.Key.type.rawValue] = .string(kind.rawValue)
        return object
    }

    fileprivate static let digest = BlobDigest(of: [1]).text

    fileprivate static func members<Key: SampledKey>(of type: Key.Type) -> JSONObject {
        JSONObject(members: Key.allCases.map { JSONObject.Member(key: $0.rawValue, value: $0.sample) })
    }
}

/// Members with a value each.
private protocol SampledKey: MemberKey {
    var sample: JSONValue { get }
}

extension RecordEnvelope.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .type: "site"
        case .schema: 1
        case .district: "hill"
        case .channels: ["district.hill", "audit"]
        case .createdBy: "mara"
        case .createdAt: "2026-03-04T10:15:00Z"
        case .changedBy: "ines"
        case .changedAt: "2026-03-05T10:15:00Z"
        case .device: "mill-laptop"
        case .source: .object(MemberSamples.members(of: RecordSource.Key.self))
        }
    }
}

extension RecordSource.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .file: "register.csv"
        case .digest: "k3m9x2pq7d"
        }
    }
}

extension Site.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .name: "Mill"
        case .address: .object(MemberSamples.members(of: Address.Key.self))
        case .location: .object(MemberSamples.members(of: Coordinates.Key.self))
        case .phone: "+1 415 555"
        case .notes: "Ring twice"
        }
    }
}

extension Address.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .street: "1 Quay"
        case .city: "Amble"
        case .state: "CA"
        case .postalCode: "00123"
        }
    }
}

extension Coordinates.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .latitude: 47.25
        case .longitude: -3.5
        }
    }
}

extension Inspection.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .site: "site-1"
        case .date: "2026-03-04"
        case .visit: "followUp"
        case .status: "approved"
        case .inspector: "mara"
        case .score: 81
        case .form: "form-1"
        case .assignment: "assignment-1"
        case .answers: ["clean": true, "fridge": 4.5, "cook": "Ann"]
        case .notes: "Two cooks"
        case .photos: [.object(MemberSamples.members(of: Photo.Key.self))]
        case .submittedAt: "2026-03-04T11:15:00Z"
        case .review: "The second fridge is missing."
        case .approvedFindings: ["finding-1": .string(MemberSamples.digest)]
        case .approvedPhotos: [.string(MemberSamples.digest)]
        }
    }
}

extension Response.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .form: "water_point"
        case .formVersion: "7"
        case .formDigest: "sha256-00"
        case .state: "final"
        case .instanceID: "uuid:8c6a"
        case .instanceName: "Cove (2)"
        case .deprecatedID: "uuid:7b59"
        case .startedAt: "2026-03-04T10:15:00Z"
        case .endedAt: "2026-03-04T10:45:00Z"
        case .finalisedBy: "mara"
        case .edits: 1
        case .site: "site-1"
        case .assignment: "assignment-1"
        case .answers: ["region": "n", "point": [["@key": "k3m9x2pq", "depth": 18.5]]]
        case .seeds: ["/data/q": 123]
        case .skipped: ["/data/point[k3m9x2pq]/depth"]
        case .reports: [["question": "/data/q", "code": "R1", "expression": "calculation"]]
        case .former: [["path": "/data/old", "version": "6", "label": "Old", "value": 3]]
        case .remarks: [["question": "/data/q", "text": "The well was locked"]]
        case .begun: [["question": "/data/story", "text": "It began\nto rain"]]
        case .entities: [["id": "uuid:1", "list": "points", "label": "Cove", "properties": [:]]]
        case .audit: [["event": "question", "node": "/data/point[1]/depth", "start": 1_772_619_300_000]]
        case .history:
            [
                [
                    "action": "returned", "by": "ines", "at": "2026-03-05T10:15:00Z", "device": "desk",
                    "why": "too deep", "question": "/data/point[k3m9x2pq]/depth", "instanceID": "uuid:8c6a",
                ]
            ]
        }
    }
}

extension Photo.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .name: "door.jpg"
        case .caption: "Front door"
        case .takenAt: "2026-03-04T10:20:00Z"
        case .attachedAt: "2026-03-04T10:25:00Z"
        case .blob: ["@type": "blob", "digest": .string(MemberSamples.digest)]
        }
    }
}

extension Finding.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .inspection: "inspection-1"
        case .site: "site-1"
        case .date: "2026-03-04"
        case .text: "No thermometer"
        case .risk: "moderate"
        case .corrected: "2026-03-07"
        case .notes: "Bought one"
        case .photos: [.object(MemberSamples.members(of: Photo.Key.self))]
        }
    }
}

extension FormDefinition.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .name: "Kitchen"
        case .version: 2
        case .fields:
            [
                ["name": "pests", "label": "Pests", "kind": "yesNo"],
                .object(MemberSamples.members(of: FormField.Key.self)),
            ]
        }
    }
}

extension FormField.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .name: "kind"
        case .label: "Which"
        case .kind: "choice"
        case .required: true
        case .minimum: 1
        case .maximum: 9.5
        case .choices: ["mice", "flies"]
        case .when: .object(MemberSamples.members(of: FormField.Condition.Key.self))
        }
    }
}

extension FormField.Condition.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .field: "pests"
        case .equals: true
        }
    }
}

extension Assignment.Key: SampledKey {
    var sample: JSONValue {
        switch self {
        case .inspector: "mara"
        case .site: "site-1"
        case .form: "form-1"
        case .due: "2026-03-09"
        case .status: "done"
        case .instructions: "Look twice"
        case .inspection: "inspection-1"
        }
    }
}
