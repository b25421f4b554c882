import DocumentValues

extension AnswerRefusal {
    private static let positions = "52.5 13.4, N52.5 E13.4, 52°30'15\"N 13°24'0\"E or 9F4MGC22+22"

    static func noPosition(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be a position, not \(quoted(text))", hint: "Such as \(positions)")
    }

    static let latitudeOutside = AnswerRefusal("a latitude is from -90 to 90 degrees")
    static let longitudeOutside = AnswerRefusal("a longitude is from -180 to 180 degrees")
    static let partOutside = AnswerRefusal("minutes and seconds are below 60")
    static let heightOutside = AnswerRefusal("the third number is the altitude in metres, the fourth the accuracy")
    static let letterMissing = AnswerRefusal(
        "one of the numbers has a letter, the other has none", hint: "Type both or none")
    static let sameLetters = AnswerRefusal(
        "both letters are of the same axis", hint: "N or S is for the latitude, E or W for the longitude")
    static let signAndLetter = AnswerRefusal("a number has a sign and a letter", hint: "Type one of them")
    static let letterO = AnswerRefusal("O is west in some languages and east in others", hint: "Type E or W")

    static func unclearCommas(_ text: String) -> AnswerRefusal {
        AnswerRefusal(
            "the commas of \(quoted(text)) may be between numbers or in them", hint: "Type a space between the numbers")
    }

    static let shortPlusCode = AnswerRefusal(
        "a short plus code needs the name of a town, which is not known here",
        hint: "Copy the full code, which has eight letters before its +")
    static let gridReference = AnswerRefusal(
        "a grid reference with letters for its square (MGRS) is not read here",
        hint: "Have the receiver show degrees or UTM: 33U 391000 5817000")
    static let otherBand = AnswerRefusal(
        "the northing is not in the band of the letter", hint: "Compare the zone and its letter: 33U 391000 5817000")
    static let linkWithoutPosition = AnswerRefusal(
        "this address has no position", hint: "Open it, and copy the address that has @52.5,13.4 in it")

    // MARK: Lines

    static func tooFewPoints(_ count: Int, least: Int) -> AnswerRefusal {
        AnswerRefusal("needs at least \(least) points, there are \(count)")
    }

    static let tooManyPoints = AnswerRefusal("has more than \(EntryLimits.points) points")

    func inLine(_ number: Int) -> AnswerRefusal { AnswerRefusal("line \(number): \(reason)", hint: hint) }

    // MARK: Files

    func inFile(_ name: Name) -> AnswerRefusal { AnswerRefusal("\(Self.quoted(name.text)): \(reason)", hint: hint) }

    static let fileTooLarge = AnswerRefusal("the file is larger than \(EntryLimits.pointFile >> 20) MB")
    static let longitudeFirst = AnswerRefusal("the latitude goes first in a line")

    static let fileOfOtherKind = AnswerRefusal(
        "this is no file with points, or it is damaged",
        hint: "GPX, KML, GeoJSON and lines of latitude and longitude are read")
    static let typeDefinitionInFile = AnswerRefusal(
        "it has a document type (DTD), which may refer to other files",
        hint: "Remove the line that begins with <!DOCTYPE")
    static let noPositionInFile = AnswerRefusal("it has a point without a latitude or a longitude")
    static let noLine = AnswerRefusal("it has no line and no points")

    static func severalLines(_ count: Int) -> AnswerRefusal {
        AnswerRefusal("it has \(count) lines", hint: "Save the one that is meant in a file of its own")
    }
}
