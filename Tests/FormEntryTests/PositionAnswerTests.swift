import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// Positions as they are typed.
@Suite struct PositionAnswerTests {
    private static let point = QuestionType.plain(.geopoint)

    @Test(arguments: [
        ("52.5 13.4", "52.5 13.4 0.0 0.0"), ("52.5, 13.4", "52.5 13.4 0.0 0.0"), ("52.5,13.4", "52.5 13.4 0.0 0.0"),
        ("52.5;13.4", "52.5 13.4 0.0 0.0"),
        ("52,5 13,4", "52.5 13.4 0.0 0.0"), ("52,5, 13,4", "52.5 13.4 0.0 0.0"), ("52,5;13,4", "52.5 13.4 0.0 0.0"),
        ("52,13", "52.0 13.0 0.0 0.0"),
        ("52.5 13.4 34 5", "52.5 13.4 34.0 5.0"), ("52.5 13.4 -3.5", "52.5 13.4 -3.5 0.0"),
        ("52.5 13.4 34 m 5 m", "52.5 13.4 34.0 5.0"),
        ("52,5 13,4 34 5", "52.5 13.4 34.0 5.0"), ("-33.9 -70.6", "-33.9 -70.6 0.0 0.0"),
        ("−33.9 −70.6", "-33.9 -70.6 0.0 0.0"),
        ("+52.5 +13.4", "52.5 13.4 0.0 0.0"), (".5 .25", "0.5 0.25 0.0 0.0"), ("0 0", "0.0 0.0 0.0 0.0"),
        ("90 180", "90.0 180.0 0.0 0.0"),
        ("N52.5 E13.4", "52.5 13.4 0.0 0.0"), ("n 52.5 e 13.4", "52.5 13.4 0.0 0.0"),
        ("52.5N 13.4E", "52.5 13.4 0.0 0.0"),
        ("52.5 N, 13.4 E", "52.5 13.4 0.0 0.0"), ("33.9 S 70.6 W", "-33.9 -70.6 0.0 0.0"),
        ("N52.5 E13.4 34 5", "52.5 13.4 34.0 5.0"),
        ("52.5 N 13.4 E 34 5", "52.5 13.4 34.0 5.0"), ("N52,5 E13,4", "52.5 13.4 0.0 0.0"),
        ("52.5°, 13.4°", "52.5 13.4 0.0 0.0"),
        ("52°30'15\"N 13°24'E", "52.50416666666667 13.4 0.0 0.0"),
        ("52°30′15″N 13°24′E", "52.50416666666667 13.4 0.0 0.0"),
        ("52°30’15''N 13°24’0''E", "52.50416666666667 13.4 0.0 0.0"),
        ("52 30 15 N 13 24 0 E", "52.50416666666667 13.4 0.0 0.0"),
        ("N 52 30 15 E 13 24 0", "52.50416666666667 13.4 0.0 0.0"), ("52°30'N, 13°24'E", "52.5 13.4 0.0 0.0"),
        ("52°30.6'N 13°24'E", "52.51 13.4 0.0 0.0"),
        ("52°30' 13°24'", "52.5 13.4 0.0 0.0"), ("-33°30' -70°30'", "-33.5 -70.5 0.0 0.0"),
        ("33°30'S 70°30'W", "-33.5 -70.5 0.0 0.0"),
        ("0°30'S 0°15'W", "-0.5 -0.25 0.0 0.0"), ("52 N 13 E", "52.0 13.0 0.0 0.0"), ("٥٢٫٥ ١٣٫٤", "52.5 13.4 0.0 0.0"),
        ("geo:52.5,13.4", "52.5 13.4 0.0 0.0"), ("geo:52.5,13.4,34;u=5", "52.5 13.4 34.0 5.0"),
        ("geo:-33.9,-70.6?z=12", "-33.9 -70.6 0.0 0.0"),
        ("https://www.google.com/maps/@52.5,13.4,15z", "52.5 13.4 0.0 0.0"),
        ("https://maps.google.com/?q=52.5,13.4", "52.5 13.4 0.0 0.0"),
        ("https://maps.google.com/maps?z=3&q=52.5%2C13.4", "52.5 13.4 0.0 0.0"),
        ("www.google.com/maps?q=-33.9,-70.6&z=1", "-33.9 -70.6 0.0 0.0"),
        ("https://www.google.com/maps/dir/X/@52.1,13.1,17z/data=!3d52.5!4d13.4", "52.5 13.4 0.0 0.0"),
        ("https://www.openstreetmap.org/#map=15/52.5/13.4", "52.5 13.4 0.0 0.0"),
        ("https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=9/1/2", "52.5 13.4 0.0 0.0"),
        ("https://maps.apple.com/?ll=52.5,13.4", "52.5 13.4 0.0 0.0"),
    ])
    func positions(typed: String, read: String) { #expect(TypedAnswer(Self.point).read(typed) == read) }

    @Test(arguments: [
        ("9F4MGC22+22", 52.5000625, 13.4000625), ("9f4mgc22+22", 52.5000625, 13.4000625),
        ("9F4MGC22+", 52.50125, 13.40125),
        ("9F4M0000+", 52.5, 13.5), ("8FVC9G8F+6X", 47.3655625, 8.5249375), ("8FVC9G8F+6XQ", 47.3655875, 8.524984375),
    ])
    func fullPlusCodes(typed: String, latitude: Double, longitude: Double) throws {
        guard case .answer(.point(let point), let notes) = TypedAnswer(Self.point).outcome(typed) else {
            Issue.record("\(TypedAnswer(Self.point).read(typed))")
            return
        }
        #expect(abs(point.latitude - latitude) < 1e-6 && abs(point.longitude - longitude) < 1e-6, "\(point)")
        #expect(point.accuracy > 0 && notes == [.codeAccuracy(point.accuracy)])
    }

    @Test func thePlusCodesAccuracyIsHalfItsDiagonal() throws {
        guard case .answer(.point(let point), _) = TypedAnswer(Self.point).outcome("9F4MGC22+22") else {
            Issue.record("it is refused")
            return
        }
        // A square of 1/8000 degree: 13.9 m high, 8.5 m wide there.
        #expect(abs(point.accuracy - 8.14) < 0.05)
    }

    @Test(arguments: [
        ("33U 391000 5817000", 52.4935, 13.3944), ("33u 391000 5817000", 52.4935, 13.3944),
        ("33 U 391000 5817000", 52.4935, 13.3944),
        ("33U 391000mE 5817000mN", 52.4935, 13.3944), ("17T 630084 4833438", 43.642561, -79.387143),
        ("33N 391000 5817000", 52.4935, 13.3944),
        ("19H 346000 6298000", -33.4459, -70.6567), ("31N 500000 0", 0, 3),
    ])
    func zonesOfTheMercatorProjection(typed: String, latitude: Double, longitude: Double) {
        guard case .answer(.point(let point), _) = TypedAnswer(Self.point).outcome(typed) else {
            Issue.record("\(TypedAnswer(Self.point).read(typed))")
            return
        }
        #expect(abs(point.latitude - latitude) < 0.002 && abs(point.longitude - longitude) < 0.002, "\(point)")
    }

    @Test(arguments: [
        ("120.5 30.25", "? Did you mean 30.25000 N 120.50000 E? 30.25 120.5 0.0 0.0"),
        ("-120.5 30.25", "? Did you mean 30.25000 N 120.50000 W? 30.25 -120.5 0.0 0.0"),
        ("E13.4 N52.5", "? Did you mean 52.50000 N 13.40000 E? 52.5 13.4 0.0 0.0"),
        ("13.4 E 52.5 N 34", "? Did you mean 52.50000 N 13.40000 E · altitude 34 m? 52.5 13.4 34.0 0.0"),
    ])
    func swappedNumbersAreAsked(typed: String, read: String) { #expect(TypedAnswer(Self.point).read(typed) == read) }

    @Test(arguments: [
        ("GC22+22", "! a short plus code needs the name of a town, which is not known here"),
        ("GC22+22 Berlin", "! a short plus code needs the name of a town, which is not known here"),
        ("9F4MGC22+2", "! must be a position, not '9F4MGC22+2'"),
        ("33UUU9100017000", "! a grid reference with letters for its square (MGRS) is not read here"),
        ("33U UU 91000 17000", "! a grid reference with letters for its square (MGRS) is not read here"),
        ("33C 391000 5817000", "! the northing is not in the band of the letter"),
        ("91 91", "! a latitude is from -90 to 90 degrees"),
        ("100 120", "! a latitude is from -90 to 90 degrees"),
        ("52.5 181", "! a longitude is from -180 to 180 degrees"), ("52.5", "! must be a position, not '52.5'"),
        ("52.5 13.4 1 2 3", "! must be a position, not '52.5 13.4 1 2 3'"),
        ("52.5 N 13.4", "! one of the numbers has a letter, the other has none"),
        ("52.5 N 13.4 S", "! both letters are of the same axis"),
        ("-52.5 S 13.4 E", "! a number has a sign and a letter"),
        ("52.5 N 13.4 O", "! O is west in some languages and east in others"),
        ("52°70'N 13°E", "! minutes and seconds are below 60"),
        ("52,5,13,4", "! the commas of '52,5,13,4' may be between numbers or in them"),
        ("somewhere", "! O is west in some languages and east in others"),
        ("https://maps.app.goo.gl/AbC", "! this address has no position"), ("geo:", "! this address has no position"),
        ("geo:91,10", "! a latitude is from -90 to 90 degrees"),
        ("52.5 13.4 34 -5", "! the third number is the altitude in metres, the fourth the accuracy"),
        ("x", "! must be a position, not 'x'"), ("N", "! must be a position, not 'N'"),
        ("°", "! must be a position, not '°'"), ("1 2 · ± x m", "! must be a position, not '1 2 · ± x m'"),
        ("·", "! must be a position, not '·'"), ("", "kept"),
    ])
    func noPositions(typed: String, read: String) { #expect(TypedAnswer(Self.point).read(typed) == read) }

    @Test(arguments: [
        ("52.5 13.4", nil, "52.50000 N 13.40000 E"),
        ("-33.9 -70.6 34 5", nil, "33.90000 S 70.60000 W · altitude 34 m · ± 5 m"),
        ("52.5 13.4", GeoPoint(latitude: 52.51, longitude: 13.4), "52.50000 N 13.40000 E · 1.1 km from the site"),
        (
            "52.5 13.4 -2.5", GeoPoint(latitude: 52.5, longitude: 13.4),
            "52.50000 N 13.40000 E · altitude -2.5 m · 0.0 m from the site"
        ),
    ])
    func positionsAreShownAndReadAgain(typed: String, site: GeoPoint?, shown: String) {
        var question = TypedAnswer(Self.point)
        question.context.site = site
        #expect(question.shown(typed) == shown)
        #expect(question.read(shown) == question.read(typed))
    }

    @Test(arguments: [
        (QuestionType.PlainType.geotrace, "52.5 13.4\n52.6 13.5", "52.5 13.4 0.0 0.0; 52.6 13.5 0.0 0.0"),
        (.geotrace, "52.5 13.4 0 0; 52.6 13.5 0 0", "52.5 13.4 0.0 0.0; 52.6 13.5 0.0 0.0"),
        (.geotrace, "\n52.5 13.4\n\nN52.6 E13.5\n", "52.5 13.4 0.0 0.0; 52.6 13.5 0.0 0.0"),
        (.geotrace, "52.5 13.4", "! needs at least 2 points, there are 1"),
        (.geotrace, "52.5 13.4\nx", "! line 2: must be a position, not 'x'"),
        (
            .geoshape, "0 0\n0 1\n1 1",
            "0.0 0.0 0.0 0.0; 0.0 1.0 0.0 0.0; 1.0 1.0 0.0 0.0; 0.0 0.0 0.0 0.0 (The shape ends where it began.)"
        ),
        (.geoshape, "0 0\n0 1\n1 1\n0 0", "0.0 0.0 0.0 0.0; 0.0 1.0 0.0 0.0; 1.0 1.0 0.0 0.0; 0.0 0.0 0.0 0.0"),
        (.geoshape, "0 0\n0 1\n0 0", "! needs at least 3 points, there are 2"),
        (
            .geotrace, "120 30\n121 30",
            "? Swap latitude and longitude in 2 lines? 30.0 120.0 0.0 0.0; 30.0 121.0 0.0 0.0"
        ),
    ])
    func linesOfPoints(type: QuestionType.PlainType, typed: String, read: String) {
        #expect(TypedAnswer(.plain(type)).read(typed) == read)
    }

    @Test func aLineIsTypedPointByPoint() {
        let question = TypedAnswer(.plain(.geoshape))
        var draft = TraceDraft(question.question)
        for (line, read) in [
            ("0 0", "0.0 0.0 0.0 0.0"), ("0 0.01", "0.0 0.01 0.0 0.0"), ("x", "! must be a position, not 'x'"),
            ("9 9", "9.0 9.0 0.0 0.0"),
        ] {
            #expect(TypedAnswer.text(draft.add(line, in: question.context)) == read)
        }
        draft.removeLast()
        draft.add([GeoPoint(latitude: 0.01, longitude: 0.01)])
        #expect(draft.count == 3 && draft.text.hasPrefix("3 points · 2.2 km"))
        guard case .answer(let answer, let notes) = draft.outcome else {
            Issue.record("it is refused")
            return
        }
        #expect(notes == [.shapeClosed])
        #expect(
            AnswerText(question.question, in: question.context).line(answer) == "4 points · 62.0 ha · around it 3.8 km")
    }
}
